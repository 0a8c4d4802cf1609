import { platformKinds } from 'cdk8s-aso/platform-kinds';

export default platformKinds({ group: 'platform.freight.example.com' });
