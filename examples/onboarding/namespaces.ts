import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Environment } from './environment';

/** The namespaces, which must exist before any object in them is applied. */
export class Namespaces extends Chart {
  public constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.addNamespace(environment.platformNamespace, 'platform-namespace');
    for (const team of environment.teams) this.addNamespace(team.namespace, 'team-namespace');
  }

  private addNamespace(name: string, type: string): void {
    new ApiObject(this, name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { name, type } } });
  }
}
