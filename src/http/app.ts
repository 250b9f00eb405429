/** Types of the framework as both listeners use it: our own response class underneath. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  RouteGenericInterface,
} from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import type { GuardedResponse } from './guarded-response.ts';

export type App = FastifyInstance<Server, IncomingMessage, GuardedResponse>;
export type AppRequest = FastifyRequest<RouteGenericInterface, Server, IncomingMessage>;
export type AppReply = FastifyReply<RouteGenericInterface, Server, IncomingMessage, GuardedResponse>;

/** A hook either calls `done`, or answers and does not. */
export type Hook = (request: AppRequest, reply: AppReply, done: HookHandlerDoneFunction) => void;

/** For a hook that must wait; once it has answered, the framework goes no further. */
export type AsyncHook = (request: AppRequest, reply: AppReply) => Promise<void>;

/** A handler answers through `reply.raw.answer` or a problem; what it returns is not sent. */
export type Handler = (request: AppRequest, reply: AppReply) => void | Promise<void>;
