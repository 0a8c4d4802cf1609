export * from './principal';
export * from './principal-type';
export * from './role-grant';
