export { startAdmission, type AdmissionOptions } from './start-admission';
export { refusalOf } from './validation/validate';
