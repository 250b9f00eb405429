/** Types of the framework as both listeners use it: our own response class underneath. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  RouteGenericInterface,
} from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import type { GuardedResponse } from '../answers/guarded-response.ts';

export type App = FastifyInstance<Server, IncomingMessage, GuardedResponse>;
export type AppRequest = FastifyRequest<RouteGenericInterface, Server, IncomingMessage>;
export type AppReply = FastifyReply<RouteGenericInterface, Server, IncomingMessage, GuardedResponse>;

/** A hook calls `done`, or returns a promise, or answers; once it has answered, the framework goes no further. */
export type Hook = (
  request: AppRequest,
  reply: AppReply,
  done: HookHandlerDoneFunction,
) => void | Promise<void>;

/** A handler answers through `reply.raw.answer` or a problem; what it returns is not sent. */
export type Handler = (request: AppRequest, reply: AppReply) => void | Promise<void>;
