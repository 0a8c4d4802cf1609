import { replaced, type Undo } from './replaced';
import { ObjectMemories } from '../../controller/reconcile/object-memories';
import { ObjectOwnership } from '../../controller/shards/object-ownership';
import { OwnerRoots } from '../../controller/shards/owner-roots';
import { ShardedWork } from '../../controller/shards/sharded-work';
import { InformerSet } from '../../engine/informers';
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

const nothingEnds = () => replaced(insides(ShardedWork.prototype), 'endWork', () => () => Promise.resolve());

export const SHARD_MISTAKES: Readonly<Record<string, ShardMistake>> = {
  // The fence is the last defence: it decides where work has not ended in its time. In these runs work has no time to end.
  'writes to Azure do not ask the fence': {
    unfenced: { azure: true },
    around: nothingEnds,
    says: /: (PUT|DELETE) .*, although (its published|it gives|it has not seen)/,
  },

  'writes to Kubernetes do not ask the fence': {
    unfenced: { kubernetes: true },
    around: nothingEnds,
    says: /: [A-Z][A-Za-z]+ .*, although (its published|it gives|it has not seen)/,
  },

  'reconciles of a namespace that is given away do not end first': {
    around: nothingEnds,
    says: /gives . away, and \d+ of its reconciles run/,
  },

  'reconciles begin in a namespace that is given away': {
    around: () => replaced(insides(ShardedWork.prototype), 'mayBegin', () => function mayBegin(this: ShardedWork, object) {
      return this.objects.owns(object as never);
    } as Insides['mayBegin']),
    says: /gives . away, and \d+ of its reconciles run/,
  },

  'a namespace that is not listed yet is taken for empty': {
    around: () => {
      const undoLists = replaced(InformerSet.prototype, 'covered', () => () => Promise.resolve(true));
      const undoLeftOut = replaced(insides(ResourceInformer.prototype), 'leftOut', () => () => undefined);
      return () => {
        undoLeftOut();
        undoLists();
      };
    },
    says: /./,
  },

  'resources of a namespace that is taken over are not read first': {
    around: () => replaced(ObjectMemories.prototype, 'of', (real) => function of(this: ObjectMemories, key, object) {
      const memory = real.call(this, key, object);
      if (memory.knowledge === 'first') memory.knowledge = 'known';
      return memory;
    }),
    says: /made twice/,
  },

  'a term does not end': {
    around: () => replaced(Fence.prototype, 'isCurrent', () => () => true),
    says: /its term is over/,
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

  'trees are not read before a write to Azure': {
    around: () => replaced(OwnerRoots.prototype, 'confirm', () => () => Promise.resolve()),
    says: JUDGED,
  },

  'an object that comes to another tree is not left alone': {
    around: () => replaced(OwnerRoots.prototype, 'isSettled', () => function isSettled(this: OwnerRoots, object) {
      return this.rootOf(object) !== undefined;
    }),
    says: JUDGED,
  },

  'a namespace that is split has one owner': {
    around: () => replaced(ObjectOwnership.prototype, 'keyOf', () => ({ namespace }) => namespace),
    says: /./,
  },
};
