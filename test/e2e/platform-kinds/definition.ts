// The kinds of a platform with the guard rails of test/platform, as the platform team writes them.
import { KUSTO, POLICY } from '../../platform/guarded-team';
import { SelfServicePolicy } from 'cdk8s-aso/platform';
import { platformKinds } from 'cdk8s-aso/platform-kinds';

export const GROUP = 'platform.example.com';

/** Objects of `Environment` have no shared services of the platform's own kinds: the policy grants such a one, with the same limits. */
const { grantedScopes = [], ...limits } = POLICY.props;
const policy = new SelfServicePolicy({ ...limits, grantedScopes: [{ armId: KUSTO, kinds: ['kusto.azure.com/Database'] }, ...grantedScopes] });

export default platformKinds({ group: GROUP, policy });
