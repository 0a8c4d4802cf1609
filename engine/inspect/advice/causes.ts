import { namespacesWith, shell, similarName, target, whyCommand, type Advice, type AdviceContext } from './context';
import { type ObjectId, objectKeyOf, objectTitleOf } from '../../../src/object-id';
import { capitalized, firstOf, listed, plural } from '../../../src/util/words';
import type { CauseCode } from '../types';

type Maker = (context: AdviceContext) => Advice;

const ASO_SYSTEM = 'azureserviceoperator-system';
const AFTER_CHANGE = 'The controller sees the change at once.';

/** Advice for every cause that is no Ready condition. */
const ADVICE: Readonly<Record<Exclude<CauseCode, 'Condition'>, Maker>> = {
  OwnerMissing: (context) => missingObject(context, 'spec.owner.name'),
  ReferenceMissing: (context) => missingObject(context, context.cause.details?.path ?? 'the reference'),
  InvalidOwner: ({ name }) => ({
    text: 'Give the owner in one form: name (with group and kind where the kind may have any owner), or armId.',
    commands: [`kubectl edit ${target(name)}`],
    document: 'docs/model.md',
  }),
  SecretMissing: (context) => missingStore(context),
  ConfigMapMissing: (context) => missingStore(context),
  SecretKeyMissing: (context) => missingKey(context),
  ConfigMapKeyMissing: (context) => missingKey(context),
  ValueNotExported: ({ name, cause: { details } }) => ({
    text: `Look at spec.operatorSpec of ${objectTitleOf(name)}: its destination has another key than ${details?.key ?? 'the one that is read'}, or its expression gives nothing. Then change the destination, or the reader (${details?.path ?? 'its reference'}).`,
    commands: [`kubectl get ${target(name)} -o jsonpath='{.spec.operatorSpec}'`],
    document: 'docs/exports.md',
  }),
  CredentialMissing: credentialMissing,
  CredentialIncomplete: ({ name, cause: { details } }) => ({
    text: `Add ${details?.keys ?? 'the missing keys'} to the Secret. A credential needs AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID. ${AFTER_CHANGE}`,
    commands: [
      `kubectl patch secret ${shell(name.name)} -n ${shell(name.namespace)} --type merge -p ${shell(JSON.stringify({ stringData: patchOf(details?.keys) }))}`,
    ],
    document: 'docs/credentials.md',
  }),
  KindNotServed: ({ name }) => ({
    text: `Install the CRD of ${name.kind}.${name.group}: add the kind to the controller's --crd-pattern (ASO: crdPattern of the chart), or apply the CRDs that your manifests need.`,
    commands: ['cdk8s-aso crds dist/ | kubectl apply --server-side -f -', `kubectl api-resources --api-group ${shell(name.group)}`],
    document: 'docs/crds.md',
  }),
  Unreadable: ({ name }) => ({
    text: `You may not read ${objectTitleOf(name)}, so its state is not known: ask for get and list on the kind, and run this again.`,
    commands: [`kubectl auth can-i list ${shell(crdOf(name))} -n ${shell(name.namespace)}`],
  }),
  WebhookDown: ({ name }) => ({
    text: 'The conversion webhook does not answer, so objects of this kind cannot be read in this version: bring the controller that serves the webhooks up, or look at the certificate of its service.',
    commands: [`kubectl get pods -n ${ASO_SYSTEM}`, `kubectl get crd ${shell(crdOf(name))} -o jsonpath='{.spec.conversion}'`],
    document: 'docs/controller.md#webhooks',
  }),
  Cycle: ({ name }) => ({
    text: 'Remove one of the references or values, or give an ARM id there: no object of a cycle is ever sent.',
    commands: [`kubectl edit ${target(name)}`, 'cdk8s-aso check dist/'],
    document: 'docs/graph.md',
  }),
  NoController: ({ name }) => ({
    text: 'Start the controller: install it, or scale its Deployment up and look at why its pods are not ready.',
    commands: name.kind === 'Deployment'
      ? [
        `kubectl scale deployment ${shell(name.name)} -n ${shell(name.namespace)} --replicas 1`,
        `kubectl get pods -n ${shell(name.namespace)}`,
        `kubectl logs deployment/${shell(name.name)} -n ${shell(name.namespace)} --tail 50`,
      ]
      : [`kubectl get deployments,pods -n ${shell(name.name)}`],
    document: 'docs/operator.md',
  }),
  OtherController: ({ name, cause: { details }, inspection: { controllers = [] } }) => {
    const namespaces = [...new Set(controllers.filter(({ reconciles }) => reconciles).map(({ namespace }) => namespace))];
    return {
      text: `Start the controller of namespace ${details?.operator ?? ''}, or hand the object to the one in ${listed(namespaces, 'or') || 'another namespace'}: remove the annotation, and the controller that watches the namespace takes it.`,
      commands: [`kubectl annotate ${target(name)} serviceoperator.azure.com/operator-namespace-`],
      document: 'docs/operator.md#several-controllers',
    };
  },
  NotWatched: ({ name }) => ({
    text: `Make the controller watch ${name.kind}.${name.group} in namespace ${name.namespace}: its flag --kinds has to select the kind, and AZURE_TARGET_NAMESPACES the namespace. It needs list and watch on the kind; a kind that was installed later is found within 5 minutes.`,
    commands: [
      'kubectl get deployments -A -l app.kubernetes.io/name=azure-service-operator -o jsonpath=\'{.items[*].spec.template.spec.containers[*].args}\'',
      `kubectl get secret aso-controller-settings -n ${ASO_SYSTEM} -o jsonpath='{.data.AZURE_TARGET_NAMESPACES}' | base64 -d`,
    ],
    document: 'docs/controller.md#flags',
  }),
  NamespaceTerminating: ({ name }) => ({
    text: 'Nothing can be created in a namespace that is being deleted. Wait for its end and apply to a new one; if its end does not come, look at what is left in it.',
    commands: [`cdk8s-aso status -n ${shell(name.name)}`, `kubectl get namespace ${shell(name.name)} -o jsonpath='{.status.conditions}'`],
    document: 'docs/offboarding.md',
  }),
  ForeignFinalizer: ({ name, cause: { details } }) => ({
    text: `The resource in Azure is done with. Look for the program that set the finalizer ${details?.finalizer ?? ''}, and let it finish; remove the finalizer by hand only if that program is gone.`,
    commands: [`kubectl get ${target(name)} -o jsonpath='{.metadata.finalizers}'`],
  }),
  StillInUse: ({ cause: { details, nodes }, inspection, name, waiting }) => {
    const all = [waiting, ...nodes.map((key) => inspection.byKey.get(key))];
    const deleted = all.find((node) => node?.state === 'Deleting');
    return {
      text: `Delete the objects that still need ${details?.needed ?? 'it'}, or set the annotation aso.cdk8s.io/delete-in-use on it to take their access away.`,
      commands: [
        `kubectl delete ${target(name)}`,
        ...(deleted ? [`kubectl annotate ${target(deleted)} aso.cdk8s.io/delete-in-use=true`] : []),
      ],
      document: 'docs/offboarding.md',
    };
  },
  Resolved: ({ name }) => ({ text: 'Nothing: the next reconciliation, within 30s, finds it.', commands: [whyCommand(name)] }),
  JustCreated: ({ name }) => ({ text: 'Nothing yet: look again in a few seconds.', commands: [whyCommand(name)] }),
  Stale: ({ name }) => ({
    text: 'If the spec was changed minutes ago, look at whether the controller works on anything; its log names the object.',
    commands: ['cdk8s-aso status', `kubectl get events -n ${shell(name.namespace)} --sort-by .lastTimestamp`],
  }),
};

export function ofCause(context: AdviceContext): Advice {
  const { code } = context.cause;
  if (code === 'Condition') throw new RangeError('a condition has its advice by its reason');
  return ADVICE[code](context);
}

function crdOf(name: ObjectId): string {
  return target({ ...name, namespace: '', name: '' }).split(' ')[0] ?? name.kind;
}

function missingObject({ name, inspection, waiting }: AdviceContext, property: string): Advice {
  const similar = similarName(name, inspection);
  const elsewhere = namespacesWith(name, inspection);
  const hints = [
    ...(similar === undefined ? [] : [`Did you mean '${similar}'? ${property} says '${name.name}'.`]),
    ...(elsewhere.length === 0 ? [] : [`There is one in ${listed(elsewhere.slice(0, 3).map((namespace) => `namespace ${namespace}`))}, but names are looked up in the object's own namespace: give its armId instead.`]),
  ];
  const text = [...hints, `Apply ${objectTitleOf(name)}, correct ${property}, or give armId there if the resource is managed elsewhere.`].join(' ');
  return {
    text,
    commands: [`kubectl get ${crdOf(name)} -n ${shell(name.namespace)}`, ...(waiting ? [`kubectl edit ${target(waiting)}`] : [])],
    document: 'docs/model.md',
  };
}

function missingStore({ name, cause: { details }, inspection }: AdviceContext): Advice {
  const key = details?.key;
  const literal = `--from-${name.kind === 'Secret' ? 'file' : 'literal'}=${shell(key ?? 'KEY')}=${name.kind === 'Secret' ? 'FILE' : 'VALUE'}`;
  const create = name.kind === 'Secret' ? 'secret generic' : 'configmap';
  const writers = [...inspection.byKey.values()].filter(({ namespace, references }) => namespace === name.namespace
    && references.some(({ object }) => object !== undefined && objectKeyOf(object) === objectKeyOf(name))).map(objectTitleOf);
  return {
    text: `Create the ${name.kind} (${firstOf(writers, 3)} ${plural(writers.length, 'reads', 'read')} it), correct ${details?.path ?? 'the reference'}, or let an object export it (spec.operatorSpec). ${AFTER_CHANGE}`,
    commands: [
      `kubectl get ${name.kind === 'Secret' ? 'secrets' : 'configmaps'} -n ${shell(name.namespace)}`,
      `kubectl create ${create} ${shell(name.name)} -n ${shell(name.namespace)} ${literal}`,
    ],
    document: 'docs/exports.md',
  };
}

function missingKey({ name, cause: { details } }: AdviceContext): Advice {
  const key = details?.key ?? '';
  return {
    text: `Add the key ${key} to ${objectTitleOf(name)}, or correct ${details?.path ?? 'the reference'}. ${AFTER_CHANGE}`,
    commands: [
      `kubectl describe ${name.kind.toLowerCase()} ${shell(name.name)} -n ${shell(name.namespace)}`,
      `kubectl patch ${name.kind.toLowerCase()} ${shell(name.name)} -n ${shell(name.namespace)} --type merge -p ${shell(JSON.stringify({ [name.kind === 'Secret' ? 'stringData' : 'data']: { [key]: '…' } }))}`,
    ],
    document: 'docs/exports.md',
  };
}

function credentialMissing({ name, cause: { details } }: AdviceContext): Advice {
  const where = details?.scope === 'object'
    ? 'create the Secret that the annotation serviceoperator.azure.com/credential-from names, or correct the annotation'
    : details?.scope === 'controller'
      ? 'create the credential of the namespace, or give the controller one (Secret aso-controller-settings, then restart it)'
      : 'create the credential of the namespace';
  return {
    text: `${capitalized(where)}. ${AFTER_CHANGE}`,
    commands: [
      `kubectl create secret generic ${shell(name.name)} -n ${shell(name.namespace)} --from-literal=AZURE_SUBSCRIPTION_ID=… --from-literal=AZURE_TENANT_ID=… --from-literal=AZURE_CLIENT_ID=…`,
    ],
    document: 'docs/credentials.md',
  };
}

function patchOf(keys = ''): Record<string, string> {
  return Object.fromEntries(keys.split(', ').filter((key) => key !== '').map((key) => [key, '…']));
}
