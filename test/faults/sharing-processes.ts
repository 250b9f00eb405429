/** Several `serve` processes on one database that share their limits, with credentials that they all know. */
import { once } from 'node:events';
import { type RunningServer, startServer, Workplace } from '../kit/command-line.ts';

const USUAL_COUNT = 8;

export interface SharingOptions {
  readonly redisUrl: string;
  readonly count: number;
  /** Of each process; 1 unless given. */
  readonly workers?: number;
}

export class SharingProcesses {
  readonly #workplace: Workplace;
  readonly #usual: string[] = [];
  #roomy = '';
  #servers: RunningServer[] = [];

  /** All credentials are issued before the start, so that every process knows them. */
  static async start({ redisUrl, count, workers = 1 }: SharingOptions): Promise<SharingProcesses> {
    const processes = new SharingProcesses(redisUrl, workers);
    await processes.#prepare();
    processes.#servers = await Promise.all(
      Array.from({ length: count }, () => startServer(processes.#workplace)),
    );
    return processes;
  }

  private constructor(redisUrl: string, workers: number) {
    const settings = { REDIS_URL: redisUrl, INGRESS_LIMIT: '1000000', WORKERS: String(workers) };
    this.#workplace = new Workplace(settings);
  }

  /** Those that run. */
  get servers(): readonly RunningServer[] {
    return this.#servers;
  }

  urls(): readonly string[] {
    return this.#servers.map(({ partnerUrl }) => partnerUrl);
  }

  /** Of a credential with the usual quota that nobody has used yet. */
  token(): string {
    const token = this.#usual.pop();
    if (token === undefined) throw new Error(`there are only ${USUAL_COUNT} credentials`);
    return token;
  }

  /** Of a credential with a quota that no test uses up; always the same. */
  roomyToken(): string {
    return this.#roomy;
  }

  async metric(index: number, name: string): Promise<number> {
    const response = await fetch(`${this.#servers[index]!.operatorUrl}/metrics`);
    const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.slice(line.lastIndexOf(' ')));
  }

  async kill(server: RunningServer): Promise<void> {
    this.#servers = this.#servers.filter((other) => other !== server);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    await exited;
  }

  async remove(): Promise<void> {
    await this.#workplace.remove();
  }

  async #prepare(): Promise<void> {
    await this.#workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issue = ['credential', 'issue', '--partner', 'acme'];
    this.#roomy = (await this.#workplace.json([...issue, '--quota', '1000000'])).token;
    for (let index = 0; index < USUAL_COUNT; index += 1) {
      this.#usual.push((await this.#workplace.json(issue)).token);
    }
  }
}
