import { IConstruct } from 'constructs';
import type { CredentialScopesOptions } from './credential-scopes-options';
import { CredentialFacts, IdentityFacts, ResourceCredential } from './scopes/facts';
import type * as Internal from './scopes/internal';
import { GraphFormat } from '../graph/facts';

// Loaded on demand: few apps need the rules and the table of roles.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./scopes/internal') as typeof Internal;

/**
 * The credential that applies to each Azure resource, the reason, and whether the roles of its principal suffice to read, write and delete
 * the resource, to read the keys that it exports, and to join the resources that it references.
 *
 * The roles are those that role assignments of the app give to the principal, and those that the credential declares (`grantedRoles`). The
 * report shows the objects at the time of the call; create it when the app is complete.
 *
 * @see https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/
 */
export class CredentialScopes {
  /**
   * The report of all Azure objects at and below a construct.
   * @param scope an app, a chart or any other construct; objects outside of it count as missing
   * @param options facts that the objects do not contain
   */
  public static of(scope: IConstruct, options: CredentialScopesOptions = {}): CredentialScopes {
    return new CredentialScopes(internal().evaluateScope(scope, options));
  }

  private constructor(private readonly evaluation: Internal.Evaluation) {}

  /** Each Azure object, in the order of the construct tree. */
  public get resources(): ResourceCredential[] {
    return this.evaluation.resources.map((resource) => internal().plainResource(resource));
  }

  /** Each credential, including unused ones. */
  public get credentials(): CredentialFacts[] {
    return [...this.evaluation.credentials];
  }

  /** Each principal of a credential, and who can have the controller act as it. */
  public get identities(): IdentityFacts[] {
    return [...this.evaluation.identities];
  }

  /**
   * The credential of a construct; undefined if the construct is no Azure object of the report.
   * @param construct an Azure resource
   */
  public resource(construct: IConstruct): ResourceCredential | undefined {
    return this.resources.find(({ constructPath }) => constructPath === construct.node.path);
  }

  /**
   * The report as text.
   * @param format the output format
   */
  public render(format: GraphFormat): string {
    return internal().renderCredentials(this.evaluation, format);
  }
}
