export { startAdmission, type AdmissionOptions } from './start-admission';
export { refusalOf } from './validation/validate';
export { defaultsOf } from './defaulting';
export { convertObject } from './conversion/convert-object';
