/** What a tool is: a value, before it is registered. */
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { CallOptions, Stayport } from '../../../sdk/src/index.ts';

export interface Tool<Input> {
  /** Frozen: assistants and their users store it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: ToolAnnotations;
  /** Its result has `stays` or `items` that clients can draw as cards. */
  readonly hasCards?: true;
  /** Rejects with a `StayportError`. `canQuote` is false where `create_quote` is not offered: no text leads to it. */
  readonly run: (
    client: Stayport,
    input: Input,
    signal: AbortSignal,
    canQuote?: boolean,
  ) => Promise<CallToolResult>;
}

export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: true };

/** Clients give up after 60 s: an answer comes long before, and a 429 is passed on instead of waited for. */
export const TOOL_MS_MAX = 20_000;

/** How long a call of the API may take, all its tries and waits. */
export function withinLimits(signal: AbortSignal): CallOptions {
  return { signal, deadline: TOOL_MS_MAX };
}

/** For the next call of a tool that has begun: what is left until `endsAtMs` of `performance.now()`. */
export function limitsUntil(signal: AbortSignal, endsAtMs: number): CallOptions {
  return { signal, deadline: Math.max(1, endsAtMs - performance.now()) };
}

/** The body exactly as it came, and the same in a few lines. */
export function resultOf(body: Record<string, unknown>, lines: readonly string[]): CallToolResult {
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: body,
  };
}
