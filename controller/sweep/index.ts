export { Sweep, type SweepObserver, type SweepOptions } from './sweep';
export { subjectOf } from './subject';
