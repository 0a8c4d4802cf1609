import { ApiObject } from 'cdk8s';
import { IConstruct, IValidation } from 'constructs';
import type { AppResource, Report } from './app-resource';
import { linkProblems } from './links';
import { ResourceGraph } from './resource-graph';
import { isWorkload } from '../graph/pod-values';
import { isResource } from '../resource-internals';
import { ruleProblems } from './rule-problems';
import { textProblems } from './text-problems';

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
  private lastOthers = 0;
  private readonly reporting = new WeakSet<IConstruct>();
  private problems = new Map<IConstruct, string[]>();

  private constructor(private readonly root: IConstruct) {}

  public validate(): string[] {
    const all = this.root.node.findAll();
    const resources = all.filter(isResource).map((resource) => {
      if (!resource._check().lasting) resource._invalidate();
      return { resource, checked: resource._check() };
    });
    const others = [...all.filter(isStore), ...all.filter(hasPods)];
    // cdk8s validates the whole app again for every chart: an unchanged app is not checked twice.
    const same = resources.length === this.last.length && others.length === this.lastOthers
      && resources.every(({ checked }, i) => checked === this.last[i]?.checked);
    if (!same) {
      this.problems = check(resources, others);
      this.reportOthers();
      this.last = resources;
      this.lastOthers = others.length;
    }
    return [];
  }

  public problemsOf(construct: IConstruct): string[] {
    return this.problems.get(construct) ?? [];
  }

  /** Workloads report their own problems, too; the validation reaches them after the root. */
  private reportOthers(): void {
    for (const construct of this.problems.keys()) {
      if (isResource(construct) || this.reporting.has(construct)) continue;
      this.reporting.add(construct);
      construct.node.addValidation({ validate: () => this.problemsOf(construct) });
    }
  }
}

/** Whether a construct is a ConfigMap or Secret, of whatever class. */
function isStore(construct: IConstruct): construct is ApiObject {
  return (
    ApiObject.isApiObject(construct) && (construct.kind === 'ConfigMap' || construct.kind === 'Secret') && construct.apiGroup === 'core'
  );
}

/** Whether a construct is a workload, of whatever class. */
function hasPods(construct: IConstruct): construct is ApiObject {
  return ApiObject.isApiObject(construct) && isWorkload(construct.apiGroup, construct.kind);
}

function check(resources: AppResource[], others: ApiObject[]): Map<IConstruct, string[]> {
  const problems = new Map<IConstruct, string[]>();
  const report: Report = (resource, problem) => {
    const known = problems.get(resource);
    if (known) known.push(problem);
    else problems.set(resource, [problem]);
  };
  const graph = new ResourceGraph(resources);
  linkProblems(graph, report);
  textProblems(resources, report);
  const broken = ruleProblems(resources, others, report);
  if (!broken.has('cycle')) graph.orderByName();
  return problems;
}
