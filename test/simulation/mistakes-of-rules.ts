import { ArmHttp } from './arm-http';
import { replaced, type Undo } from './replaced';
import { WatchedContents } from '../../controller/contents/watched-contents';
import { Cluster } from '../../controller/reconcile/cluster';
import { CreatedResources } from '../../controller/reconcile/created-resources';
import { CredentialGuard } from '../../controller/reconcile/credential-guard';
import { ExportGuard } from '../../controller/reconcile/export-guard';
import { ObjectWriter } from '../../controller/reconcile/writer';
import { CredentialResolver } from '../../engine/credentials';
import { RestClient } from '../../engine/kubernetes';

/** A mistake, and what it has to be found by. */
export interface RuleMistake {
  readonly around: () => Undo;
  readonly says: RegExp;
}

interface MetadataPatch {
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Mistakes about what is sent to Kubernetes, about credentials, and about what is kept of others. */
export const RULE_MISTAKES: Readonly<Record<string, RuleMistake>> = {
  'finalizer lists are patched without resourceVersion and uid': {
    says: /a patch of lists of .* without a/,
    around: () =>
      replaced(
        RestClient.prototype,
        'patch',
        (real) =>
          function patch(this: RestClient, type, name, namespace, sent, patchType) {
            const { metadata = {}, ...rest } = sent as MetadataPatch;
            const { resourceVersion: _, uid: __, ...others } = metadata;
            return real.call(this, type, name, namespace, 'finalizers' in metadata ? { ...rest, metadata: others } : sent, patchType);
          },
      ),
  },

  'annotation patches carry a resourceVersion': {
    says: /a patch of annotations of .* with a resourceVersion/,
    around: () =>
      replaced(
        ObjectWriter.prototype,
        'writeMain',
        (real) =>
          function writeMain(this: ObjectWriter, watched, stored, wanted) {
            const { client } = this as unknown as { readonly client: RestClient };
            const { resourceVersion } = stored.metadata;
            const patch: RestClient['patch'] = (type, name, namespace, sent, patchType) =>
              client.patch(type, name, namespace, { metadata: { resourceVersion, ...(sent as MetadataPatch).metadata } }, patchType);
            return real.call(
              Object.assign(Object.create(ObjectWriter.prototype) as ObjectWriter, this, { client: { patch } }),
              watched,
              stored,
              wanted,
            );
          },
      ),
  },

  'the global credential helps out': {
    says: /with the global credential/,
    around: () => replaced(CredentialResolver.prototype, 'resolve', (real) => function resolve(this: CredentialResolver, object) {
      try {
        return real.call(this, object);
      } catch (error) {
        if (this.global) return this.global;
        throw error;
      }
    }),
  },

  'a PUT does not wait until the Secret of its credential is kept': {
    says: /no finalizer for its kind/,
    around: () => replaced(CredentialGuard.prototype, 'hold', () => () => Promise.resolve()),
  },

  'an export may write a credential': {
    says: /the controller writes the credential/,
    around: () => replaced(ExportGuard.prototype, 'check', () => () => undefined),
  },

  'a list that has not come counts as empty': {
    says: /lists that had not come/,
    around: () => replaced(Cluster.prototype, 'stateOf', () => () => ({ state: 'whole' })),
  },

  'a Secret whose content was not read counts as absent': {
    says: /and not with its own/,
    around: () => replaced(WatchedContents.prototype, 'read', (real) => function read(this: WatchedContents, namespace, name) {
      const state = real.call(this, namespace, name);
      return state.state === 'unknown' ? { state: 'absent' } : state;
    }),
  },

  'a Secret that has changed is not read again': {
    says: /and not with its own|another password than the Secret/,
    around: () => {
      const first = new Map<string, ReturnType<WatchedContents['read']>>();
      return replaced(WatchedContents.prototype, 'read', (real) => function read(this: WatchedContents, namespace, name) {
        const key = `${namespace}/${name}`;
        const state = real.call(this, namespace, name);
        if (state.state === 'present' && !first.has(key)) first.set(key, state);
        return this.store.get(namespace, name) ? first.get(key) ?? state : state;
      });
    },
  },

  'a process that leads no more goes on': {
    says: /leads$/,
    around: () => replaced(RestClient.prototype, 'withMayWrite', () => function withMayWrite(this: RestClient) {
      return this;
    }),
  },

  'a name takes the DELETE of a child to its parent': {
    says: /UserAssignedIdentity .*: DELETE although nobody deletes the object/,
    around: () => replaced(ArmHttp.prototype, 'sendRequest', (real) => function sendRequest(this: ArmHttp, request) {
      // As `azureName: "%2e%2e"` did, once the URL was normalized.
      const child = /\/federatedIdentityCredentials\/[^/?]+/i;
      if (request.method === 'DELETE') request.url = request.url.replace(child, '');
      return real.call(this, request);
    }),
  },

  'an owner that this process has sent counts as made by it': {
    says: /deletes .*, which is/,
    around: () => replaced(CreatedResources.prototype, 'accepted', (real) => function accepted(this: CreatedResources, key, put) {
      real.call(this, key, { ...put, wasNew: true });
    }),
  },

  'a parent is sent without the children of others': {
    says: /deletes .*, which is/,
    around: () =>
      replaced(
        ArmHttp.prototype,
        'sendRequest',
        (real) =>
          function sendRequest(this: ArmHttp, request) {
            if (
              request.method === 'PUT'
              && typeof request.body === 'string'
              && /\/(virtualNetworks|routeTables|loadBalancers)\/[^/]+$/i.test(new URL(request.url).pathname)
            ) {
              const body = JSON.parse(request.body) as { properties?: Record<string, unknown> };
              for (const name of ['subnets', 'routes', 'inboundNatRules']) delete body.properties?.[name];
              request.body = JSON.stringify(body);
            }
            return real.call(this, request);
          },
      ),
  },
};
