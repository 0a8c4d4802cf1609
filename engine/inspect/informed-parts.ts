import type { Snapshot, Unread } from './types';
import type { InformerSet } from '../informers';

/** The parts of a snapshot that informers keep up to date. */
export type InformedParts = Pick<Snapshot, 'objects' | 'namespaces' | 'serves' | 'unread'>;

/** All Azure objects and namespaces that the informers of a cluster have, and the kinds that cannot be read. */
export function informedParts(informers: Pick<InformerSet, 'types' | 'stateOf' | 'informer' | 'serves'>): InformedParts {
  const types = informers.types.filter(({ group }) => group !== '');
  return {
    objects: types.flatMap(({ group, kind }) => informers.informer(group, kind)?.store.list() ?? []),
    namespaces: informers.informer('', 'Namespace')?.store.list() ?? [],
    serves: (group, kind) => informers.serves(group, kind),
    unread: types.flatMap(({ group, kind }): Unread[] => {
      const state = informers.stateOf(group, kind);
      return state.state === 'unknown' ? [{ group, kind, why: state.why }] : [];
    }),
  };
}
