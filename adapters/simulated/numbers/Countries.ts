/** Where numbers of a country lie: the digits with which they begin, without the calling code. */
export type Regions = Readonly<Record<string, ReadonlyArray<string>>>

export interface Country {
  /** ISO 3166 alpha-2 */
  readonly code: string
  readonly callingCode: string
  /** How many digits a number has without the calling code. */
  readonly digits: number
  /** How many numbers are for sale. */
  readonly count: number
  /** The share of them whose buyer has to prove an identity, 0 to 1. */
  readonly identity: number
  readonly setup_price: string
  readonly monthly_price: string
  readonly regions: Regions
}

const unitedStates: Regions = {
  California: ["213", "310", "415", "510", "619", "650", "818", "916"],
  "New York": ["212", "315", "516", "518", "585", "716", "914"],
  Texas: ["210", "214", "281", "361", "512", "713", "817", "915"],
  Florida: ["305", "321", "407", "561", "727", "813", "904"],
  Illinois: ["217", "309", "312", "618", "630", "773", "815"],
  Pennsylvania: ["215", "412", "570", "610", "717", "814"],
  Ohio: ["216", "330", "419", "513", "614", "740", "937"],
  Georgia: ["229", "404", "478", "706", "770", "912"],
  "North Carolina": ["252", "336", "704", "828", "910", "919"],
  Michigan: ["231", "313", "517", "586", "616", "734", "810"],
  Washington: ["206", "253", "360", "425", "509"],
  Massachusetts: ["413", "508", "617", "781", "978"],
  Colorado: ["303", "719", "720", "970"],
  Arizona: ["480", "520", "602", "623", "928"],
  "New Jersey": ["201", "609", "732", "856", "908", "973"],
  Virginia: ["276", "434", "540", "703", "757", "804"],
  Tennessee: ["423", "615", "731", "865", "901", "931"]
}

const canada: Regions = {
  Ontario: ["416", "519", "613", "647", "705", "905"],
  Quebec: ["418", "450", "514", "819"],
  "British Columbia": ["250", "604", "778"],
  Alberta: ["403", "780"],
  Manitoba: ["204"],
  "Nova Scotia": ["902"]
}

const unitedKingdom: Regions = {
  London: ["207", "208"],
  Manchester: ["161"],
  Birmingham: ["121"],
  Edinburgh: ["131"],
  Glasgow: ["141"],
  Leeds: ["113"],
  Liverpool: ["151"],
  Bristol: ["1179"]
}

/** The last two are series of which the platform offers none. Source: TRAI, commercial communications. */
const india: Regions = {
  Mumbai: ["22"],
  Delhi: ["11"],
  Bengaluru: ["80"],
  Chennai: ["44"],
  Hyderabad: ["40"],
  Kolkata: ["33"],
  Pune: ["20"],
  "Telemarketing series": ["140"],
  "Service series": ["1600"]
}

const germany: Regions = {
  Berlin: ["30"],
  Hamburg: ["40"],
  München: ["89"],
  Frankfurt: ["69"],
  Köln: ["221"],
  Stuttgart: ["711"],
  Düsseldorf: ["211"],
  Leipzig: ["341"]
}

const france: Regions = {
  "Île-de-France": ["14", "15"],
  Bretagne: ["29"],
  "Hauts-de-France": ["32"],
  "Auvergne-Rhône-Alpes": ["47"],
  "Provence-Alpes-Côte d'Azur": ["49"],
  "Nouvelle-Aquitaine": ["55"],
  Occitanie: ["56"]
}

const australia: Regions = {
  "New South Wales": ["28", "29"],
  Victoria: ["38", "39"],
  Queensland: ["73"],
  "Western Australia": ["86"],
  "South Australia": ["88"]
}

const brazil: Regions = {
  "São Paulo": ["11"],
  "Rio de Janeiro": ["21"],
  "Minas Gerais": ["31"],
  Paraná: ["41"],
  "Rio Grande do Sul": ["51"],
  "Distrito Federal": ["61"],
  Bahia: ["71"],
  Ceará: ["85"]
}

const japan: Regions = { Tokyo: ["3"], Osaka: ["6"], Yokohama: ["45"], Nagoya: ["52"], Fukuoka: ["92"] }
const spain: Regions = { Madrid: ["91"], Barcelona: ["93"], Sevilla: ["95"], Valencia: ["96"] }
const italy: Regions = { Milano: ["02"], Roma: ["06"] }
const netherlands: Regions = { Amsterdam: ["20"], Rotterdam: ["10"], Utrecht: ["30"], "Den Haag": ["70"] }
const mexico: Regions = { "Ciudad de México": ["55"], Guadalajara: ["33"], Monterrey: ["81"] }
const poland: Regions = { Warszawa: ["22"], Kraków: ["12"], Wrocław: ["71"], Gdańsk: ["58"], Poznań: ["61"] }
const southAfrica: Regions = { Johannesburg: ["11"], "Cape Town": ["21"], Durban: ["31"], Pretoria: ["12"] }

const country = (
  code: string,
  callingCode: string,
  digits: number,
  count: number,
  identity: number,
  [setup_price, monthly_price]: readonly [string, string],
  regions: Regions
): Country => ({ code, callingCode, digits, count, identity, setup_price, monthly_price, regions })

/** What is for sale, in the order in which it is listed when no country is named. Prices are US dollars. */
export const countries: ReadonlyArray<Country> = [
  country("US", "1", 10, 40_000, 0, ["0.00", "1.15"], unitedStates),
  country("CA", "1", 10, 9_000, 0, ["0.00", "1.15"], canada),
  country("GB", "44", 10, 9_000, 0.1, ["0.00", "1.30"], unitedKingdom),
  country("IN", "91", 10, 9_000, 0.2, ["5.00", "3.50"], india),
  country("DE", "49", 10, 7_000, 0.5, ["1.00", "1.20"], germany),
  country("FR", "33", 9, 6_000, 0.3, ["1.00", "1.25"], france),
  country("AU", "61", 9, 5_000, 0.25, ["0.00", "3.00"], australia),
  country("BR", "55", 10, 4_000, 0.4, ["0.00", "4.25"], brazil),
  country("JP", "81", 9, 3_000, 0.6, ["2.50", "4.50"], japan),
  country("ES", "34", 9, 2_000, 0.2, ["0.00", "1.40"], spain),
  country("IT", "39", 10, 2_000, 0.3, ["0.00", "1.50"], italy),
  country("NL", "31", 9, 1_500, 0.1, ["0.00", "2.00"], netherlands),
  country("MX", "52", 10, 1_000, 0, ["0.00", "3.25"], mexico),
  country("PL", "48", 9, 1_000, 0, ["0.00", "1.60"], poland),
  country("ZA", "27", 9, 500, 0, ["0.00", "2.75"], southAfrica)
]
