import type { Tries } from './tries';
import type { RestClient } from '../../../engine/kubernetes';
import { KubernetesError } from '../../../engine/kubernetes/types';
import type { Catalog } from '../../../src/catalog';
import { counted } from '../../../src/util/words';
import { atATime } from '../../cluster/at-a-time';
import type { ClusterState } from '../cluster-state';
import { warning } from '../finding';
import { appliedVersions, recordOf } from '../recorded-versions';
import { Rewriter } from '../rewriter';

const AT_A_TIME = 8;
const TRIES = 5;
/** Objects whose writes no webhook answers, after which the others are left out: each of them would be waited for. */
const MAX_UNANSWERED = 3;

interface ObjectsOptions {
  readonly catalog: Catalog;
  readonly state: Pick<ClusterState, 'crds' | 'kinds'>;
  readonly now: () => number;
}

/** Tries to rewrite each object, as far as ASO's webhooks answer. That they do not convert a kind is a finding by itself. */
export async function rehearseObjects(tries: Tries, client: RestClient, { catalog, now, state }: ObjectsOptions): Promise<void> {
  const { crds: { migrated }, kinds } = state;
  const at = new Date(now()).toISOString();
  let untried = 0;
  for (const { kind, objects, conversionError } of kinds) {
    if (conversionError !== undefined) {
      untried += objects.length;
      continue;
    }
    const rewriter = new Rewriter({ client, catalog, kinds: migrated }, kind, appliedVersions(recordOf(kind, objects, at)));
    await atATime(objects, AT_A_TIME, async ({ metadata: { name, namespace = '' } }) => {
      if (tries.unanswered >= MAX_UNANSWERED) untried += 1;
      else await tries.write('rewrite-objects', `the ${kind.kind} ${namespace}/${name}`, () => untilNoConflict(() => rewriter.rewrite(name, namespace)));
    });
  }
  if (untried === 0) return;
  const message = `rewrite-objects: ${counted(untried, 'object was not tried', 'objects were not tried')}, since webhooks do not answer`;
  tries.findings.push(warning('rehearsal', message, 'check again when they do'));
}

/** Writers are at work; an object that is gone is not rewritten. */
async function untilNoConflict(rewrite: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rewrite();
      return;
    } catch (error) {
      if (!(error instanceof KubernetesError) || ![404, 409].includes(error.status)) throw error;
      if (error.status === 404 || attempt >= TRIES) return;
    }
  }
}
