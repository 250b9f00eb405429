/** Both listeners in one thread, as tests have them. */
import {
  type CatalogueSourceOptions,
  followCatalogue,
  type Follower,
  type FollowerOptions as ListenerOptions,
  startFollower as startListeners,
} from '../../src/read-model/following/follower.ts';

export type FollowerOptions = Omit<ListenerOptions, 'source' | 'storage'> &
  CatalogueSourceOptions & { readonly storage: ListenerOptions['storage'] };

export function startFollower(options: FollowerOptions): Follower {
  return startListeners({ ...options, source: followCatalogue(options) });
}
