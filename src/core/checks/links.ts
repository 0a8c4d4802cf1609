import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import type { Report } from './app-resource';
import type { ResourceInternals } from '../resource-internals';
import type { ResourceGraph } from './resource-graph';
import type { Link, LinkRole } from '../schema/conversion';

const WHAT: Record<LinkRole, string> = {
  owner: 'the owner',
  reference: 'the referenced resource',
  output: 'the resource that exports the value',
  credential: 'the credential\'s Secret',
};

const BY_NAME: Record<LinkRole, string> = {
  owner: 'use its class\'s fromName or fromArmId',
  reference: 'use its class\'s fromName or fromArmId',
  output: 'name the ConfigMap or Secret: ConfigMapValue.fromConfigMap, SecretValue.fromSecret',
  credential: 'use CredentialReference.fromSecretName',
};

const ACROSS: Record<LinkRole, string> = {
  owner: 'Move one of them, or give the owner by ARM id (fromArmId).',
  reference: 'Move one of them, or give the reference by ARM id (fromArmId).',
  output: 'The ConfigMap or Secret would be in another namespace than its reader: move one of them, or copy the value.',
  credential: 'Put a credential into the resource\'s own namespace.',
};

/** Reports owners, references, outputs and credentials that are missing from the app or in another app or namespace. */
export function linkProblems(graph: ResourceGraph, report: Report): void {
  for (const { resource, checked } of graph.resources) {
    for (const link of checked.links) {
      const problem = problemOf(resource, link, graph);
      if (problem !== undefined) report(resource, `${resource.kind} ${link.path}: ${problem}`);
    }
  }
}

function problemOf(resource: ResourceInternals, { role, reference }: Link, graph: ResourceGraph): string | undefined {
  const { construct } = reference;
  if (!construct) return undefined;
  if (construct.node.root !== resource.node.root) {
    return `${WHAT[role]} '${construct.node.path}' belongs to another app, so nothing here creates it. Make it a part of this app, or ${BY_NAME[role]}.`;
  }
  if (role === 'credential' ? !isInTree(construct) : !graph.has(construct)) {
    return `${WHAT[role]} '${construct.node.path}' is no longer a part of the app. Refer to a construct that is.`;
  }
  if (!(construct instanceof ApiObject)) return undefined;
  const [own, other] = [resource.metadata.namespace, construct.metadata.namespace];
  if (own === other) return undefined;
  return `${WHAT[role]} '${construct.node.path}' is in ${named(other)}, this ${resource.kind} in ${named(own)}; Kubernetes objects are looked up in the namespace of the object that names them. ${ACROSS[role]}`;
}

function isInTree(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return scope === undefined || (scope.node.tryFindChild(id) === construct && isInTree(scope));
}

function named(namespace: string | undefined): string {
  return namespace === undefined ? 'no namespace (whichever it is applied to)' : `namespace '${namespace}'`;
}
