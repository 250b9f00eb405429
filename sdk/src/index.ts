/** Partner API of Stayport: search properties, check availability, create indicative quotes. */
export type { CallOptions, HookOptions, ReceivedResponse, SentRequest } from './call-options.ts';
export { Stayport, type StayportOptions } from './client.ts';
export {
  AuthenticationError,
  type AuthenticationCode,
  type ConnectionCode,
  ConnectionError,
  isStayportError,
  type NotFoundCode,
  NotFoundError,
  type PermissionCode,
  PermissionError,
  type ProblemCode,
  QuoteConflictError,
  RateLimitError,
  type RequestCode,
  RequestError,
  type ServerCode,
  ServerError,
  type StayportError,
  type UsageCode,
  UsageError,
} from './errors.ts';
export type * from './types.ts';
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookHeaders } from './webhook.ts';
