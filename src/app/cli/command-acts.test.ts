/** Which commands are in the audit trail: none may be forgotten, and none that only reads may write. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { systemRandom } from '../../runtime/random.ts';
import { auditOf } from './commands/act-commands.ts';
import { COMMAND_KINDS, findCommandAct } from './command-acts.ts';
import { buildProgram, COMMANDS } from './program.ts';

/** `import catalogue`, for each command that does something and is not a row of `operator/acts/`: a row says it itself. */
async function allCommands(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name } of COMMANDS) {
    const program = await buildProgram([name], { clock: () => 0, random: systemRandom });
    const command = program.commands.find((candidate) => candidate.name() === name)!;
    const leaves = command.commands.length === 0 ? [command] : command.commands;
    const others = leaves.filter((leaf) => auditOf(leaf) === undefined);
    found.push(...others.map((leaf) => (leaf === command ? name : `${name} ${leaf.name()}`)));
  }
  return found;
}

describe('The commands that change something', () => {
  it('are told from those that read, for every command', async () => {
    assert.deepEqual((await allCommands()).toSorted(), Object.keys(COMMAND_KINDS).toSorted());
  });

  it('are recorded with what they change, unless they only say what would change', async () => {
    for (const [args, on] of [
      [['--property', 'a', '--from', '2027-12-24', '--to', '2027-12-26'], 'a 2027-12-24..2027-12-26'],
      [
        ['--property', 'a', '--type', 'b', '--from', '2027-12-24', '--to', '2027-12-26'],
        'a/b 2027-12-24..2027-12-26',
      ],
      [['--property', 'a', '--from', '2027-12-24', '--to', '2027-12-26', '--dry-run'], undefined],
    ] as const) {
      const program = await buildProgram(['close'], { clock: () => 0, random: systemRandom });
      const close = program.commands.find((command) => command.name() === 'close')!;
      let act: ReturnType<typeof findCommandAct>;
      close.action(() => {
        act = findCommandAct(close);
      });
      await program.parseAsync(['close', ...args], { from: 'user' });
      assert.deepEqual(act?.on, on);
      if (on !== undefined)
        assert.deepEqual(act?.author, { person: 'command line', role: null, act: 'close' });
    }
  });

  it('are none that is not in the table', () => {
    assert.equal(findCommandAct(new Command('stayport').command('other')), undefined);
  });
});
