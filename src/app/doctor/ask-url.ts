/**
 * Sends one GET to a URL of the operator and reports its certificate. It only looks, so it accepts every certificate.
 */
import { OutOfTime, sendRequest, withinExchange } from '../../runtime/outbound/exchange.ts';
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
export async function askUrl(url: URL): Promise<UrlAnswer> {
  const options = {
    headers: { 'user-agent': 'stayport-doctor', accept: '*/*' },
    rejectUnauthorized: false,
  };
  try {
    return await withinExchange({ timeoutMs: ASK_MS_MAX }, async (signal) => {
      const answer = await sendRequest(url, options, { signal });
      const certificate = certificateOf(answer.socket);
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > BODY_BYTES_MAX) break;
      }
      const body = Buffer.concat(chunks).toString('utf8');
      return { status: answer.statusCode ?? 0, headers: answer.headers, body, certificate };
    });
  } catch (cause) {
    if (cause instanceof OutOfTime) throw new Error(`no answer within ${ASK_MS_MAX / 1_000} s`, { cause });
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Error(code ?? message, { cause });
  }
}

function certificateOf(socket: unknown): SeenCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const problem = socket.authorized ? undefined : formatNetworkProblem(socket.authorizationError);
  return { validToMs: Date.parse(socket.getPeerCertificate().valid_to), problem };
}

/** Typed as `Error`, but mostly it is the code. */
function formatNetworkProblem(problem: unknown): string {
  if (problem instanceof Error) return 'code' in problem ? String(problem.code) : problem.message;
  return String(problem);
}
