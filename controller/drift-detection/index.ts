export { BatchDriftDetection, type DriftDetectionObserver, type BatchDriftDetectionOptions } from './batch-drift-detection';
export { subjectOf } from './observed-state';
