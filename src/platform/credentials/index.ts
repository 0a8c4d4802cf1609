export * from './credential-delivery';
export * from './credential-delivery-contract';
export * from './credential-delivery-options';
