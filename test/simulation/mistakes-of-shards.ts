import { replaced, type Undo } from './replaced';
import { ShardedWork } from '../../controller/shards/sharded-work';
import { ResourceInformer } from '../../engine/informers/resource-informer';
import { Fence } from '../../runtime/shards/fence';
import { FencedOwnership } from '../../runtime/shards/fenced-ownership';
import { Roster } from '../../runtime/shards/roster';

/** Which writes do not ask whether the namespace is still this replica's. */
export interface Unfenced {
  azure: boolean;
  kubernetes: boolean;
}

/** A mistake of replicas that share the namespaces. */
export interface ShardMistake {
  /** Of one run. */
  readonly around?: () => Undo;
  readonly unfenced?: Partial<Unfenced>;
  /** Message by which the mistake is found. */
  readonly says: RegExp;
}

/** Methods that are private. */
interface Insides {
  endWork(): Promise<void>;
  mayBegin(object: { readonly namespace: string }): boolean;
  leftOut(): string | undefined;
}

const insides = (prototype: object) => prototype as Insides;
const JUDGED = /, although |is under way|made twice/;

export const SHARD_MISTAKES: Readonly<Record<string, ShardMistake>> = {
  'writes to Azure do not ask the fence': { unfenced: { azure: true }, says: /(PUT|DELETE) .*, although / },

  'writes to Kubernetes do not ask the fence': { unfenced: { kubernetes: true }, says: JUDGED },

  'reconciles of a namespace that is given away do not end first': {
    around: () => replaced(insides(ShardedWork.prototype), 'endWork', () => () => Promise.resolve()),
    says: /gives . away, and \d+ of its reconciles run/,
  },

  'reconciles begin in a namespace that is given away': {
    around: () => replaced(insides(ShardedWork.prototype), 'mayBegin', () => function mayBegin(this: ShardedWork, object) {
      return this.objects.owns(object as never);
    } as Insides['mayBegin']),
    says: /gives . away, and \d+ of its reconciles run/,
  },

  'a namespace that is not listed yet is taken for empty': {
    around: () => replaced(insides(ResourceInformer.prototype), 'leftOut', () => () => undefined),
    says: /./,
  },

  'a term does not end': {
    around: () => replaced(Fence.prototype, 'isCurrent', () => () => true),
    says: /its term is over/,
  },

  'an old snapshot counts after the view has changed': {
    around: () => replaced(FencedOwnership.prototype, 'owns', (real) => function owns(this: FencedOwnership, key) {
      const { fence } = this as unknown as { readonly fence: Fence };
      const { epoch } = fence;
      const own = Object.getOwnPropertyDescriptor(Fence.prototype, 'epoch')!;
      Object.defineProperty(Fence.prototype, 'epoch', { ...own, get: () => -1 });
      try {
        return real.call(this, key);
      } finally {
        Object.defineProperty(Fence.prototype, 'epoch', own);
        void epoch;
      }
    }),
    says: JUDGED,
  },

  'claims of others do not count': {
    around: () => replaced(Roster.prototype, 'rivals', () => () => []),
    says: /nobody else does|is under way/,
  },

  'what is watched is owned': {
    around: () => replaced(FencedOwnership.prototype, 'owns', () => function owns(this: FencedOwnership, key) {
      return this.watches(key);
    }),
    says: JUDGED,
  },
};
