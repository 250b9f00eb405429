/** The rooms of `src`, as the page of each says: `src/<room>/README.md`. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Room {
  readonly room: string;
  /** Its page. */
  readonly text: string;
  readonly is: string;
  readonly port: string;
}

/** In order of their names. Throws where a room lacks its page, or a page its title, its text or its port. */
export function readRooms(root: string): readonly Room[] {
  return globSync('src/*/', { cwd: root })
    .map((path) => basename(path))
    .sort()
    .map((room) => readRoom(root, room));
}

function readRoom(root: string, room: string): Room {
  const text = readFileSync(join(root, 'src', room, 'README.md'), 'utf8');
  const found =
    /^# (?<title>.+)\n\n(?<is>[^#]+?)\n\n- Port: (?<port>[^]+?)\n- Never knows: [^]+\n- Begin at: /.exec(
      text,
    );
  if (found?.groups?.['title'] !== room)
    throw new Error(
      `src/${room}/README.md needs the title "${room}", a text, and lines of Port, Never knows, Begin at`,
    );
  return { room, text, is: unwrap(found.groups['is']!), port: unwrap(found.groups['port']!) };
}

function unwrap(text: string): string {
  return text.replaceAll(/\n\s*/g, ' ');
}
