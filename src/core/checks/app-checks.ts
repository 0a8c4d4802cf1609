import { ApiObject } from 'cdk8s';
import { IConstruct, IValidation } from 'constructs';
import type { AppResource, Report } from './app-resource';
import { isResource, type ResourceInternals } from '../resource-internals';
import { linkProblems } from './links';
import { ResourceGraph } from './resource-graph';
import { ruleProblems } from './rule-problems';

const ofRoots = new WeakMap<IConstruct, AppChecks>();

/**
 * The checks between resources. They run together once per validation, when it reaches the root construct, which it visits first. Each
 * resource then reports its own problems, so that the message has its path.
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
  private lastStores = 0;
  private problems = new Map<IConstruct, string[]>();

  private constructor(private readonly root: IConstruct) {}

  public validate(): string[] {
    const all = this.root.node.findAll();
    const resources = all.filter(isResource).map((resource) => {
      if (!resource._check().lasting) resource._invalidate();
      return { resource, checked: resource._check() };
    });
    const stores = all.filter(isStore);
    // cdk8s validates the whole app again for every chart: an unchanged app is not checked twice.
    const same = resources.length === this.last.length && stores.length === this.lastStores
      && resources.every(({ checked }, i) => checked === this.last[i]?.checked);
    if (!same) {
      this.problems = check(resources, stores);
      this.last = resources;
      this.lastStores = stores.length;
    }
    return [];
  }

  public problemsOf(resource: ResourceInternals): string[] {
    return this.problems.get(resource) ?? [];
  }
}

/** Whether a construct is a ConfigMap or Secret, of whatever class. */
function isStore(construct: IConstruct): construct is ApiObject {
  return (
    ApiObject.isApiObject(construct) && (construct.kind === 'ConfigMap' || construct.kind === 'Secret') && construct.apiGroup === 'core'
  );
}

function check(resources: AppResource[], stores: ApiObject[]): Map<IConstruct, string[]> {
  const problems = new Map<IConstruct, string[]>();
  const report: Report = (resource, problem) => {
    const known = problems.get(resource);
    if (known) known.push(problem);
    else problems.set(resource, [problem]);
  };
  const graph = new ResourceGraph(resources);
  linkProblems(graph, report);
  const broken = ruleProblems(resources, stores, report);
  if (!broken.has('cycle')) graph.orderByName();
  return problems;
}
