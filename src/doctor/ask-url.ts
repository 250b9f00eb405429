/**
 * Sends one GET to a URL of the operator and reports its certificate. It only looks, so it accepts every certificate.
 */
import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';

export const ASK_MS_MAX = 4_000;
const BODY_BYTES_MAX = 2 ** 20;

export interface UrlAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The first part of the body. */
  readonly body: string;
  /** Undefined for `http:`. */
  readonly certificate: SeenCertificate | undefined;
}

export interface SeenCertificate {
  readonly validToMs: number;
  /** The reason of a client's refusal, such as `CERT_HAS_EXPIRED`; undefined when clients accept it. */
  readonly problem: string | undefined;
}

/** Rejects when there is no answer within ASK_MS_MAX. */
export function askUrl(url: URL): Promise<UrlAnswer> {
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    agent: false,
    headers: { 'user-agent': 'stayport-doctor', accept: '*/*' },
    signal: AbortSignal.timeout(ASK_MS_MAX),
    rejectUnauthorized: false,
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sending = send(url, options, (answer) => {
      const certificate = certificateOf(answer.socket);
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        const body = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body, certificate });
        sending.destroy();
      };
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > BODY_BYTES_MAX) finish();
      });
      answer.on('end', finish);
      answer.on('error', reject);
    });
    sending.on('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.name === 'AbortError' || error.code === 'ABORT_ERR'
          ? `no answer within ${ASK_MS_MAX / 1_000} s`
          : undefined;
      reject(new Error(reason ?? error.code ?? error.message, { cause: error }));
    });
    sending.end();
  });
}

function certificateOf(socket: unknown): SeenCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const problem = socket.authorized ? undefined : describeProblem(socket.authorizationError);
  return { validToMs: Date.parse(socket.getPeerCertificate().valid_to), problem };
}

/** Typed as `Error`, but mostly it is the code. */
function describeProblem(problem: unknown): string {
  if (problem instanceof Error) return 'code' in problem ? String(problem.code) : problem.message;
  return String(problem);
}
