import type { QueryConfig } from 'pg';

/**
 * A statement that may take longer than the connection's own limit on answers; the server's limit is set apart, by
 * `SET LOCAL statement_timeout`. The driver takes a limit per statement, its types don't know.
 */
export function withAnswerTimeout<Config extends QueryConfig>(config: Config, answerMsMax: number): Config {
  const longer: Config & { query_timeout: number } = { ...config, query_timeout: answerMsMax };
  return longer;
}
