import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceOf } from '../../../test/kit/byte-sources.ts';
import { DoubtfulEncoding, DOUBTS_SHOWN_MAX } from './csv-dialect.ts';
import { decodeBytes, type Encoding, findDoubt, readEncoding, READINGS } from './encodings.ts';
import { openSheet } from './open-sheet.ts';

const BYTES = Array.from({ length: 256 }, (_none, byte) => byte);

/** The text in an encoding of one byte a letter. */
function encode(text: string, encoding: Encoding): Buffer {
  const byteOf = new Map(BYTES.map((byte) => [decodeBytes(Buffer.from([byte]), encoding), byte]));
  return Buffer.from(
    Array.from(text, (letter) => {
      const byte = byteOf.get(letter);
      assert.ok(byte !== undefined, `${letter} in ${encoding}`);
      return byte;
    }),
  );
}

const doubtOf = (text: string, encoding: Encoding): string | undefined =>
  findDoubt(encode(text, encoding))?.[encoding];

async function cellsOf(bytes: Buffer, encoding?: Encoding): Promise<unknown> {
  const options = { rows: 'line', rowLengthMax: 1_000, encoding } as const;
  const sheet = await openSheet(sourceOf('rates.csv', bytes), options);
  const rows = await Array.fromAsync(sheet.rows());
  return { encoding: sheet.facts.encoding, rows: rows.map((row) => ('cells' in row ? row.cells : row)) };
}

describe('The encoding of a sheet', () => {
  it('is in doubt where Windows-1252 puts signs inside words, at their end, or has no sign', () => {
    const words: Readonly<Record<string, readonly string[]>> = {
      macintosh:
        'Città alta|Forlì|Perché|Cantù|Però|caffè|Zürich;Köln|Straße|Málaga|Española|León|Mataró|Logroño|château|hôtel|Saint-Benoît|Curaçao|Åre café'.split(
          '|',
        ),
      'windows-1250': ['Łódź', 'Kraków, Małopolska', 'książka', 'Gdańsk, Żabianka', 'Beskid Śląski'],
      'iso-8859-2': ['Łódź', 'Wrocław', 'Małopolska', 'Śląsk', 'tuż', 'są', 'Košice', 'duża'],
    };
    for (const [encoding, all] of Object.entries(words))
      for (const text of all) {
        const doubt = doubtOf(text, encoding);
        assert.ok(doubt !== undefined && text.includes(doubt), `${text} in ${encoding}: ${doubt}`);
      }
  });

  it('is Windows-1252 for what people write in it', () => {
    for (const text of [
      'Città;Forlì;Perché;Cantù;Però;È;Œuvre;L’Haÿ-les-Roses;L’HAŸ-LES-ROSES;ŒUVRE;Čeština'.replace(
        ';Čeština',
        '',
      ),
      'l’Orto dell’acqua;don’t;it’s;po’;l´acqua;Forli´;Sant‘Anna',
      `„${'ä'.repeat(1_500)}“`,
      '“Casa” «Villa» ‘b&b’ „Haus“ ‚Hof‘ »Hof« ”Hus” “uno” e “due”',
      '40 m² 30 m³ 20 °C n° 5 n.º 3 1ª 3º ½ 1½ ± 5 5 £ £20 €20 20€ €uro 10–12 § 5',
      'Hotel® Casa™ ©2026 • piscina – wifi — bar… bello…e grande',
      'Milano–Roma;lun–ven;Mon–Fri;home—away;Sant Jordi –;col·lecció',
      '¿Dónde? ¡Hola! Ñandú;ÉLAN;Åre;McDonald;iPhone;Übernachtung;naïve;Citroën;Malmö;Žižek;Šibenik',
      'co­op;30 ° all’ombra;100 %;a × b',
    ])
      assert.equal(findDoubt(encode(text, 'Windows-1252')), undefined, text);
  });

  it('is asked for with the lines in doubt, each word in the encodings that may be meant', async () => {
    const bytes = encode('id;nome\na;Città alta\nb;Roma\nc;Forlì', 'macintosh');
    await assert.rejects(cellsOf(bytes), (error) => {
      assert.ok(error instanceof DoubtfulEncoding);
      assert.deepEqual(error.doubt.leftOut, 0);
      assert.deepEqual(
        error.doubt.lines.map(({ line, word }) => [line, word['Windows-1252'], word['macintosh']]),
        [
          [2, 'Cittˆ', 'Città'],
          [4, 'Forl“', 'Forlì'],
        ],
      );
      assert.match(
        error.message,
        /^is not UTF-8, and read as Windows-1252 it has signs inside words, line 2: "Cittˆ" \(.*macintosh: "Città"\): save it again as "CSV UTF-8"$/,
      );
      assert.ok(inEnglish(error.advice).endsWith(', or name its encoding with --encoding'));
      return true;
    });
    const read = {
      encoding: 'macintosh',
      rows: [
        ['id', 'nome'],
        ['a', 'Città alta'],
        ['b', 'Roma'],
        ['c', 'Forlì'],
      ],
    };
    assert.deepEqual(await cellsOf(bytes, 'macintosh'), read);
    const many = encode(`x\n${'Forlì\n'.repeat(DOUBTS_SHOWN_MAX + 3)}`, 'macintosh');
    await assert.rejects(cellsOf(many), (error) => {
      assert.ok(error instanceof DoubtfulEncoding);
      assert.deepEqual([error.doubt.lines.length, error.doubt.leftOut], [DOUBTS_SHOWN_MAX, 3]);
      return true;
    });
  });

  it('is the one that is named, whatever it is, wherever a chunk ends', async () => {
    const rows = [
      ['città', 'Łódź'],
      ['東京', 'č'],
    ];
    const text = rows.map((row) => row.join(';')).join('\n');
    const wide = Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(text, 'utf16le')]);
    assert.deepEqual(await cellsOf(wide, 'utf-16le'), { encoding: 'utf-16le', rows });
    for (const name of READINGS)
      assert.deepEqual(await cellsOf(encode('é;ß', name), name), { encoding: name, rows: [['é', 'ß']] });
    // 0x93 is “ in Windows-1252: a person may insist on it.
    const insisted = await cellsOf(encode('Forl“', 'Windows-1252'), 'Windows-1252');
    assert.deepEqual(insisted, { encoding: 'Windows-1252', rows: [['Forl“']] });
  });

  it('is refused where bytes are not in the one that is named, with the line', async () => {
    await assert.rejects(cellsOf(Buffer.from([0x61, 0x0a, 0x62, 0x81, 0x0a]), 'windows-1250'), {
      message: 'is not windows-1250 (at line 2 or behind it): save it again as "CSV UTF-8"',
    });
    await assert.rejects(
      cellsOf(Buffer.from([0x61, 0xe9, 0x0a]), 'UTF-8'),
      /^UnreadableFile: is not UTF-8 \(at line 1/,
    );
    const workbook = Buffer.from('PK\u0003\u0004');
    await assert.rejects(cellsOf(workbook, 'macintosh'), /is a workbook, which names its own encoding/);
  });

  it('has any label of the Encoding Standard', () => {
    const known = { latin2: 'iso-8859-2', CP1250: 'windows-1250', 'x-mac-roman': 'macintosh', utf8: 'UTF-8' };
    for (const [label, name] of Object.entries(known)) assert.equal(readEncoding(label), name);
    for (const label of ['', 'cp850', 'x-user-defined', 'replacement', 'x'.repeat(1_000)])
      assert.equal(readEncoding(label), undefined, label);
  });
});
