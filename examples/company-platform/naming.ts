import { DefaultPlatformNaming, type Environment, type ServiceOfTeam, type Team, type TeamInEnvironment } from 'cdk8s-aso/platform';

/** Names as the company has them everywhere: `aur-<environment>-<owner>-<type>`. All other names are the defaults. */
export class AurlandNaming extends DefaultPlatformNaming {
  public override resourceGroup(environment: Environment, { name }: Team): string {
    return companyName(environment, name, 'rg');
  }

  public override teamIdentity({ environment, team }: TeamInEnvironment): string {
    return companyName(environment, team.name, 'operator-id');
  }

  public override teamWorkloadIdentity({ environment, team }: TeamInEnvironment): string {
    return companyName(environment, team.name, 'pods-id');
  }

  /** Two hyphens, so that service `b-c` of team `a` and service `c` of team `a-b` have different identities. */
  public override serviceIdentity({ team: { environment, team }, service }: ServiceOfTeam): string {
    return companyName(environment, `${team.name}--${service}`, 'id');
  }
}

/** The name of a resource of the company. */
export function companyName({ name }: { readonly name: string }, owner: string, type: string): string {
  return `aur-${name}-${owner}-${type}`;
}
