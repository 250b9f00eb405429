/** Makes the text of a migration, which is one for both engines, the text of one of them. */
export type Engine = 'sqlite' | 'postgres';

/** Words in braces, and what stands for each in the engines. */
const WORDS: Readonly<Record<string, Readonly<Record<Engine, string>>>> = {
  bigint: { sqlite: 'INTEGER', postgres: 'bigint' },
  smallint: { sqlite: 'INTEGER', postgres: 'smallint' },
  blob: { sqlite: 'BLOB', postgres: 'bytea' },
  /** Text that compares byte by byte, as ids are ordered; `text` is for what nothing compares. */
  ctext: { sqlite: 'TEXT', postgres: 'text COLLATE "C"' },
  /** Behind the columns of a table: one of long rows, one that is found by its key only, and one with a single row. */
  strict: { sqlite: 'STRICT', postgres: '' },
  keyed: { sqlite: 'STRICT, WITHOUT ROWID', postgres: '' },
  one_row: { sqlite: 'STRICT', postgres: 'WITH (fillfactor = 10)' },
  random: { sqlite: 'lower(hex(randomblob(16)))', postgres: 'gen_random_uuid()::text' },
};

/** Throws on a word in braces that is none of these. */
export function fillEngineWords(text: string, engine: Engine): string {
  return text.replaceAll(/\{(\w+)\}/g, (braced, name: string) => {
    const word = WORDS[name];
    if (word === undefined) throw new Error(`a migration has a word that no engine knows: ${braced}`);
    return word[engine];
  });
}
