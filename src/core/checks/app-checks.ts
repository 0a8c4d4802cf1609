import { IConstruct, IValidation } from 'constructs';
import type { AzureResource } from '../azure-resource';
import type { CheckedResource } from './checked-resource';
import { circleProblems } from './circles';
import { destinationProblems } from './destinations';
import { duplicateProblems } from './duplicates';
import { linkProblems } from './links';
import { ResourceGraph } from './resource-graph';

/** One resource of the app and what its own check found. */
export interface AppResource {
  readonly resource: AzureResource;
  readonly checked: CheckedResource;
}

/** Says something about a resource. */
export type Report = (resource: IConstruct, problem: string) => void;

const RESOURCE_SYMBOL = Symbol.for('cdk8s-aso.AzureResource');
const ofRoots = new WeakMap<IConstruct, AppChecks>();

/** Marks a construct as an Azure resource, for those who must not import the class. */
export function markAsResource(construct: IConstruct): void {
  Object.defineProperty(construct, RESOURCE_SYMBOL, { value: true });
}

export function isResource(construct: unknown): construct is AzureResource {
  return typeof construct === 'object' && construct !== null && RESOURCE_SYMBOL in construct;
}

/**
 * The checks between resources. They run once a validation, all together, when the validation reaches the root (which is
 * the first that it reaches); each resource then hands out what concerns it, so that the message has its path.
 */
export class AppChecks implements IValidation {
  public static of(root: IConstruct): AppChecks {
    let checks = ofRoots.get(root);
    if (!checks) {
      checks = new AppChecks(root);
      ofRoots.set(root, checks);
      root.node.addValidation(checks);
    }
    return checks;
  }

  private last: AppResource[] = [];
  private problems = new Map<IConstruct, string[]>();

  private constructor(private readonly root: IConstruct) {}

  public validate(): string[] {
    const resources = this.root.node.findAll().filter(isResource).map((resource) => {
      if (!resource._check().lasting) resource._forget();
      return { resource, checked: resource._check() };
    });
    // cdk8s validates the whole app again for every chart: what has not changed is not looked at twice.
    const same = resources.length === this.last.length && resources.every(({ checked }, i) => checked === this.last[i].checked);
    if (!same) {
      this.problems = check(resources);
      this.last = resources;
    }
    return [];
  }

  public problemsOf(resource: AzureResource): string[] {
    return this.problems.get(resource) ?? [];
  }
}

function check(resources: AppResource[]): Map<IConstruct, string[]> {
  const problems = new Map<IConstruct, string[]>();
  const report: Report = (resource, problem) => {
    const known = problems.get(resource);
    if (known) known.push(problem);
    else problems.set(resource, [problem]);
  };
  const graph = new ResourceGraph(resources);
  linkProblems(graph, report);
  const circular = circleProblems(graph, report);
  if (!circular) graph.orderByName();
  duplicateProblems(graph, report);
  destinationProblems(resources, report);
  return problems;
}
