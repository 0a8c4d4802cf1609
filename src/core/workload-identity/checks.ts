import type { AbstractPod, Container } from 'cdk8s-plus-27';
import { IConstruct } from 'constructs';
import { Output } from '../output';
import { isResource } from '../resource-internals';
import type { Given } from './identity';

/** Problems of values that are not in the pods' namespace, where pods look for them. */
export function valueProblems(workload: AbstractPod, values: Readonly<Record<string, Given | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const problem = value instanceof Output ? problemOf(workload, name, value) : undefined;
    return problem === undefined ? [] : [problem];
  });
}

/** Problems of a service account in another namespace: pods can only use those of their own. */
export function accountProblems(workload: AbstractPod, namespace: string | undefined): string[] {
  const account = workload.serviceAccount as (IConstruct & { readonly metadata?: { readonly namespace?: string } }) | undefined;
  if (!account?.metadata || account.metadata.namespace === namespace) return [];
  return [`the service account '${account.node.path}' is in ${named(account.metadata.namespace)}, the pods are in ${named(namespace)}; pods use service accounts of their own namespace only. Move one of them.`];
}

/** Problems of containers that were added too late and have neither client id nor token. */
export function lateContainers(workload: AbstractPod, known: ReadonlySet<Container>): string[] {
  return containersOf(workload).filter((container) => !known.has(container)).map((container) =>
    `container '${container.name}' was added after WorkloadIdentity.bind, so it runs without the identity. Add it before, or say which containers are to have it: { containers: [...] }.`);
}

export function containersOf(workload: AbstractPod): Container[] {
  return [...workload.initContainers, ...workload.containers];
}

function problemOf(workload: AbstractPod, name: string, { producer, configMapName, key }: Output): string | undefined {
  if (producer.node.root !== workload.node.root) {
    return `${name}: the identity '${producer.node.path}' belongs to another app, so nothing here creates it. Make it a part of this app, or give ${name}FromConfig: ConfigMapValue.fromConfigMap('${configMapName}', '${key}').`;
  }
  const [own, other] = [workload.metadata.namespace, isResource(producer) ? producer.metadata.namespace : undefined];
  if (own === other) return undefined;
  return `${name}: comes from the ConfigMap '${configMapName}' of '${producer.node.path}' in ${named(other)}, but the pods are in ${named(own)} and read ConfigMaps of their own namespace only. Give ${name} as a literal (it is no secret), copy the ConfigMap and give ${name}FromConfig, or move the identity or the workload.`;
}

function named(namespace: string | undefined): string {
  return namespace === undefined ? 'no namespace (whichever it is applied to)' : `namespace '${namespace}'`;
}
