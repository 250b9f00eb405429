/** The part of a command's help that shows how it is used. */
export function example(...commands: readonly string[]): string {
  return `\nExample:\n${commands.map((command) => `  stayport ${command}\n`).join('')}`;
}

/** Lines behind the options of a command's help. */
export function helpLines(...lines: readonly string[]): string {
  return ['', ...lines].join('\n');
}
