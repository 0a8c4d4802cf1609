// Types whose names have a meaning in Azure or elsewhere: settings, DNS names, principals. Such names cannot be derived.
const TELLING = [
  /^microsoft\.network\/(private)?dnszones(?!\/virtualnetworklinks$)/,
  /^microsoft\.dbfor[a-z]+\/.*\/(configurations|administrators)$/,
  /^microsoft\.quota\//,
  /^microsoft\.cache\/redis\/linkedservers$/,
  /^microsoft\.apimanagement\/service\/(products|gateways)\/(apis|groups)$/,
  /^microsoft\.apimanagement\/service\/(apis\/)?diagnostics$/,
  /^microsoft\.app\/containerapps\/authconfigs$/,
  /^microsoft\.appconfiguration\/configurationstores\/keyvalues$/,
  /^microsoft\.communication\/emailservices\/domains/,
  /^microsoft\.containerservice\/managedclusters\/maintenanceconfigurations$/,
  /^microsoft\.documentdb\/databaseaccounts\/mongodb(role|user)definitions$/,
  /^microsoft\.insights\/workbooks$/,
  /^microsoft\.sql\/servers\/(keys|outboundfirewallrules)$/,
];

/** Whether names of an ARM type have a meaning, so that they cannot be derived. */
export function isTellingName(armType: string): boolean {
  const type = armType.toLowerCase();
  return TELLING.some((pattern) => pattern.test(type));
}
