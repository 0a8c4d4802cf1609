// @ts-expect-error: nobody has this package
// eslint-disable-next-line import/no-unresolved
import { nothing } from 'no-such-package';

export default nothing;
