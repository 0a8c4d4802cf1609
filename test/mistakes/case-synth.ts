import { App, Chart, type ApiObject } from 'cdk8s';
import type { CaseObject } from './case-objects';
import { AnyResource } from '../core/rules/any-resource';

/** Problems that synth reports for the last of some objects. */
export function synthProblems(objects: readonly CaseObject[]): string[] {
  const app = new App();
  const chart = new Chart(app, 'chart');
  const constructs = objects.map((object, index): ApiObject => new AnyResource(chart, `object${index}`, object));
  // The first construct that is asked checks the app.
  return app.node.findAll().flatMap((construct) => {
    const problems = construct.node.validate();
    return construct === constructs.at(-1) ? problems : [];
  });
}
