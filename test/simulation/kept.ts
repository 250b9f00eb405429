/** Stories in files, step by step: a seed tells another story as soon as `story.ts` changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_SIZES } from './sizes.ts';
import type { StepKind, Story } from './story.ts';

export const KEPT = join(import.meta.dirname, 'kept');

/** What most stories have, which their files need not say. */
const USUAL = {
  hasRedis: false,
  hasFeeds: false,
  hasAccount: false,
  pace: 1,
  quietMs: 0,
  after: undefined,
  sizes: SERVICE_SIZES,
  isRich: false,
} as const;

/** In a file; each step is a line: when, what, and its numbers. */
type WrittenStory = Omit<Story, 'steps' | keyof typeof USUAL> &
  Partial<Pick<Story, keyof typeof USUAL>> & { readonly steps: readonly string[] };

export function readKept(path: string): Story {
  const written = JSON.parse(readFileSync(path, 'utf8')) as WrittenStory;
  return { ...USUAL, ...written, steps: written.steps.map(readStep) };
}

function readStep(line: string): Story['steps'][number] {
  const [atMs, kind, one, two, three, four] = line.split(' ');
  const numbers = [Number(one), Number(two), Number(three), Number(four)] as const;
  return { atMs: Number(atMs), kind: kind as StepKind, numbers };
}

export function formatKept({ steps, ...story }: Story): string {
  const said = Object.entries(story).filter(([name, value]) => USUAL[name as keyof typeof USUAL] !== value);
  const lines = steps.map(({ atMs, kind, numbers }) => [atMs, kind, ...numbers].join(' '));
  return `${JSON.stringify({ ...Object.fromEntries(said), steps: lines }, undefined, 2)}\n`;
}

/** Path of the story that finds a mistake. */
export function storyOfMistake(name: string): string {
  return join(KEPT, 'mistakes', `${fileNameOf(name)}.json`);
}

function fileNameOf(words: string): string {
  return words.replaceAll(/[^a-z]+/gi, '-').toLowerCase();
}
