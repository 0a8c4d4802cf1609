/**
 * Azure's regions, for `location`. Any other text is valid too: new regions appear, and some kinds are `global`.
 * @see https://learn.microsoft.com/azure/reliability/regions-list
 */
export class Region {
  /** Americas: `eastus`. */
  public static readonly EAST_US = 'eastus';
  /** Americas: `eastus2`. */
  public static readonly EAST_US_2 = 'eastus2';
  /** Americas: `centralus`. */
  public static readonly CENTRAL_US = 'centralus';
  /** Americas: `northcentralus`. */
  public static readonly NORTH_CENTRAL_US = 'northcentralus';
  /** Americas: `southcentralus`. */
  public static readonly SOUTH_CENTRAL_US = 'southcentralus';
  /** Americas: `westcentralus`. */
  public static readonly WEST_CENTRAL_US = 'westcentralus';
  /** Americas: `westus`. */
  public static readonly WEST_US = 'westus';
  /** Americas: `westus2`. */
  public static readonly WEST_US_2 = 'westus2';
  /** Americas: `westus3`. */
  public static readonly WEST_US_3 = 'westus3';
  /** Americas: `canadacentral`. */
  public static readonly CANADA_CENTRAL = 'canadacentral';
  /** Americas: `canadaeast`. */
  public static readonly CANADA_EAST = 'canadaeast';
  /** Americas: `mexicocentral`. */
  public static readonly MEXICO_CENTRAL = 'mexicocentral';
  /** Americas: `brazilsouth`. */
  public static readonly BRAZIL_SOUTH = 'brazilsouth';
  /** Americas: `chilecentral`. */
  public static readonly CHILE_CENTRAL = 'chilecentral';
  /** Europe: `northeurope`. */
  public static readonly NORTH_EUROPE = 'northeurope';
  /** Europe: `westeurope`. */
  public static readonly WEST_EUROPE = 'westeurope';
  /** Europe: `uksouth`. */
  public static readonly UK_SOUTH = 'uksouth';
  /** Europe: `ukwest`. */
  public static readonly UK_WEST = 'ukwest';
  /** Europe: `francecentral`. */
  public static readonly FRANCE_CENTRAL = 'francecentral';
  /** Europe: `francesouth`. */
  public static readonly FRANCE_SOUTH = 'francesouth';
  /** Europe: `germanywestcentral`. */
  public static readonly GERMANY_WEST_CENTRAL = 'germanywestcentral';
  /** Europe: `germanynorth`. */
  public static readonly GERMANY_NORTH = 'germanynorth';
  /** Europe: `switzerlandnorth`. */
  public static readonly SWITZERLAND_NORTH = 'switzerlandnorth';
  /** Europe: `switzerlandwest`. */
  public static readonly SWITZERLAND_WEST = 'switzerlandwest';
  /** Europe: `norwayeast`. */
  public static readonly NORWAY_EAST = 'norwayeast';
  /** Europe: `norwaywest`. */
  public static readonly NORWAY_WEST = 'norwaywest';
  /** Europe: `swedencentral`. */
  public static readonly SWEDEN_CENTRAL = 'swedencentral';
  /** Europe: `polandcentral`. */
  public static readonly POLAND_CENTRAL = 'polandcentral';
  /** Europe: `italynorth`. */
  public static readonly ITALY_NORTH = 'italynorth';
  /** Europe: `spaincentral`. */
  public static readonly SPAIN_CENTRAL = 'spaincentral';
  /** Europe: `austriaeast`. */
  public static readonly AUSTRIA_EAST = 'austriaeast';
  /** Middle East and Africa: `uaenorth`. */
  public static readonly UAE_NORTH = 'uaenorth';
  /** Middle East and Africa: `uaecentral`. */
  public static readonly UAE_CENTRAL = 'uaecentral';
  /** Middle East and Africa: `qatarcentral`. */
  public static readonly QATAR_CENTRAL = 'qatarcentral';
  /** Middle East and Africa: `israelcentral`. */
  public static readonly ISRAEL_CENTRAL = 'israelcentral';
  /** Middle East and Africa: `southafricanorth`. */
  public static readonly SOUTH_AFRICA_NORTH = 'southafricanorth';
  /** Middle East and Africa: `southafricawest`. */
  public static readonly SOUTH_AFRICA_WEST = 'southafricawest';
  /** Asia and Pacific: `eastasia`. */
  public static readonly EAST_ASIA = 'eastasia';
  /** Asia and Pacific: `southeastasia`. */
  public static readonly SOUTHEAST_ASIA = 'southeastasia';
  /** Asia and Pacific: `japaneast`. */
  public static readonly JAPAN_EAST = 'japaneast';
  /** Asia and Pacific: `japanwest`. */
  public static readonly JAPAN_WEST = 'japanwest';
  /** Asia and Pacific: `koreacentral`. */
  public static readonly KOREA_CENTRAL = 'koreacentral';
  /** Asia and Pacific: `koreasouth`. */
  public static readonly KOREA_SOUTH = 'koreasouth';
  /** Asia and Pacific: `centralindia`. */
  public static readonly CENTRAL_INDIA = 'centralindia';
  /** Asia and Pacific: `southindia`. */
  public static readonly SOUTH_INDIA = 'southindia';
  /** Asia and Pacific: `westindia`. */
  public static readonly WEST_INDIA = 'westindia';
  /** Asia and Pacific: `indonesiacentral`. */
  public static readonly INDONESIA_CENTRAL = 'indonesiacentral';
  /** Asia and Pacific: `malaysiawest`. */
  public static readonly MALAYSIA_WEST = 'malaysiawest';
  /** Asia and Pacific: `australiaeast`. */
  public static readonly AUSTRALIA_EAST = 'australiaeast';
  /** Asia and Pacific: `australiasoutheast`. */
  public static readonly AUSTRALIA_SOUTHEAST = 'australiasoutheast';
  /** Asia and Pacific: `australiacentral`. */
  public static readonly AUSTRALIA_CENTRAL = 'australiacentral';
  /** Asia and Pacific: `australiacentral2`. */
  public static readonly AUSTRALIA_CENTRAL_2 = 'australiacentral2';
  /** Asia and Pacific: `newzealandnorth`. */
  public static readonly NEW_ZEALAND_NORTH = 'newzealandnorth';
  /** Azure operated by 21Vianet: `chinaeast2`. */
  public static readonly CHINA_EAST_2 = 'chinaeast2';
  /** Azure operated by 21Vianet: `chinaeast3`. */
  public static readonly CHINA_EAST_3 = 'chinaeast3';
  /** Azure operated by 21Vianet: `chinanorth2`. */
  public static readonly CHINA_NORTH_2 = 'chinanorth2';
  /** Azure operated by 21Vianet: `chinanorth3`. */
  public static readonly CHINA_NORTH_3 = 'chinanorth3';
  /** Azure Government: `usgovvirginia`. */
  public static readonly US_GOV_VIRGINIA = 'usgovvirginia';
  /** Azure Government: `usgovarizona`. */
  public static readonly US_GOV_ARIZONA = 'usgovarizona';
  /** Azure Government: `usgovtexas`. */
  public static readonly US_GOV_TEXAS = 'usgovtexas';
  /** No region: for kinds that Azure keeps globally, such as DNS zones. */
  public static readonly GLOBAL = 'global';

  private constructor() {}
}
