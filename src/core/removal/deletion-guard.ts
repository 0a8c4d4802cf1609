import { ApiObject, ApiObjectMetadata, Chart, JsonPatch, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { RemovalPolicy } from './removal-policy';
import { ARGO_SYNC_OPTIONS, FLUX_PRUNE, HELM_RESOURCE_POLICY, REMOVAL_POLICY } from '../../azure/annotations';
import { Catalog } from '../../catalog/catalog';
import type { ResourceInternals } from '../resource-internals';

const API_VERSION = 'admissionregistration.k8s.io/v1';

/** Keeps deployers from deleting the guard together with the app. */
const STAYS = {
  [ARGO_SYNC_OPTIONS]: 'Prune=false,Delete=false',
  [HELM_RESOURCE_POLICY]: 'keep',
  [FLUX_PRUNE]: 'disabled',
};

const CEL_ANNOTATIONS = 'oldObject.metadata.annotations';
const IS_MARKED = `has(${CEL_ANNOTATIONS}) && '${REMOVAL_POLICY}' in ${CEL_ANNOTATIONS} && ${CEL_ANNOTATIONS}['${REMOVAL_POLICY}'] == '${RemovalPolicy.PROTECT}'`;
const HOW_TO_LIFT = `is protected from deletion (annotation ${REMOVAL_POLICY}). To delete it, first give it another removalPolicy and apply that, or remove the annotation.`;

/**
 * Refuses the deletion of marked objects, of whatever chart. The guard selects objects by their annotation and is itself not pruned, so it
 * also protects a resource that is removed from the code.
 */
export class DeletionGuard extends Construct {
  private readonly resources: ReadonlySet<ResourceInternals>;

  public constructor(chart: Chart, id: string, resources: readonly ResourceInternals[]) {
    super(chart, id);
    this.resources = new Set(resources);
    const policyName = Names.toDnsLabel(this, { extra: chart.namespace === undefined ? [] : [chart.namespace] });
    const metadata: ApiObjectMetadata = { name: policyName, annotations: STAYS };
    const policy = new ApiObject(this, 'policy', {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: policySpec(resources),
    });
    const binding = new ApiObject(this, 'binding', {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName, validationActions: ['Deny'] },
    });
    for (const object of [policy, binding]) {
      // cdk8s sets the chart's namespace on every object, but these two are cluster-scoped.
      if (object.metadata.namespace !== undefined) object.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
      // `kubectl delete -f` goes from top to bottom: the guard has to refuse the protected objects before it is deleted itself.
      for (const resource of resources) object.node.addDependency(resource);
    }
    binding.node.addDependency(policy);
  }

  /** Whether it guards exactly these resources. */
  public isFor(resources: readonly ResourceInternals[]): boolean {
    return resources.length === this.resources.size && resources.every((resource) => this.resources.has(resource));
  }
}

function policySpec(resources: readonly ResourceInternals[]): object {
  return {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: [{ apiGroups: groupsOf(resources), apiVersions: ['*'], operations: ['DELETE'], resources: ['*'] }] },
    validations: [{
      expression: `!(${IS_MARKED})`,
      message: `This object ${HOW_TO_LIFT}`,
      messageExpression: `request.kind.kind + " '" + oldObject.metadata.name + "' ${HOW_TO_LIFT}"`,
      reason: 'Forbidden',
    }],
  };
}

/** All groups of the operator, so that the guard keeps covering groups that the chart no longer uses. */
function groupsOf(resources: readonly ResourceInternals[]): string[] {
  const known = Catalog.default().groups;
  return [...new Set([...known, ...resources.map(({ apiGroup }) => apiGroup)])].sort();
}
