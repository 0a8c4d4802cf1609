import { IConstruct } from 'constructs';
import type { CredentialScopesOptions } from './credential-scopes-options';
import { CredentialFacts, IdentityFacts, ResourceCredential } from './scopes/facts';
import type * as Internal from './scopes/internal';
import { GraphFormat } from '../graph/facts';

// Few ask; only who does loads the rules and the table of roles.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./scopes/internal') as typeof Internal;

/**
 * Which credential applies to each Azure resource, why, and whether the roles of its principal suffice to read, write and delete the
 * resource, to read the keys that it exports, and to join what it refers to.
 *
 * The roles are those that role assignments of the app give to the principal, and those that the credential declares (`grantedRoles`). The
 * report shows the objects as they are when it is made; make it when the app is complete.
 *
 * @see https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/
 */
export class CredentialScopes {
  /**
   * The report of all Azure objects at and below a construct.
   * @param scope an app, a chart or any other construct; what is outside of it counts as not being there
   * @param options what is known besides
   */
  public static of(scope: IConstruct, options: CredentialScopesOptions = {}): CredentialScopes {
    return new CredentialScopes(internal().evaluateScope(scope, options));
  }

  private constructor(private readonly evaluation: Internal.Evaluation) {}

  /** Each Azure object, in the order of the construct tree. */
  public get resources(): ResourceCredential[] {
    return this.evaluation.resources.map((resource) => internal().plainResource(resource));
  }

  /** Each credential, whether anything uses it or not. */
  public get credentials(): CredentialFacts[] {
    return [...this.evaluation.credentials];
  }

  /** Each principal of a credential, and who can have the controller act as it. */
  public get identities(): IdentityFacts[] {
    return [...this.evaluation.identities];
  }

  /**
   * What is said of a construct; undefined where it is no Azure object of the report.
   * @param construct an Azure resource
   */
  public resource(construct: IConstruct): ResourceCredential | undefined {
    return this.resources.find(({ constructPath }) => constructPath === construct.node.path);
  }

  /**
   * The report as text.
   * @param format what to write
   */
  public render(format: GraphFormat): string {
    return internal().renderCredentials(this.evaluation, format);
  }
}
