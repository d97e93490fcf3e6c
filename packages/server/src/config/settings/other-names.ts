/**
 * Names of the environment that are read beside the tables of settings: those that carry a chain id, and those that
 * concern every command. They are here to be shown; a test holds this list against the sources.
 */
export interface OtherName {
  /** `<chainId>` stands for the digits of a chain id. */
  readonly name: string;
  readonly default: string;
  readonly description: string;
}

export const otherNames: readonly OtherName[] = [
  {
    name: 'XGR_RPC_URL',
    default: '',
    description:
      'RPC of an XGR chain, and for reads that name no chain; the server asks it which one it serves.',
  },
  {
    name: 'HANDOVER_RPC_URL_<chainId>',
    default: '',
    description:
      'RPC of any chain; wins over XGR_RPC_URL for its own. It may hold a key and is shown to nobody.',
  },
  {
    name: 'HANDOVER_PUBLIC_RPC_URL_<chainId>',
    default: '',
    description: 'What wallets and pages are told. It must hold no credentials.',
  },
  {
    name: 'HANDOVER_CONFIRMATIONS',
    default: '3',
    description: 'Blocks, its own included, after which a transaction counts; 1 to 1000.',
  },
  {
    name: 'HANDOVER_XRC137_CODE_<chainId>',
    default: '',
    description: 'Creation code of the rules that a bundle deploys: 0x and hex.',
  },
  {
    name: 'HANDOVER_XRC729_CODE_<chainId>',
    default: '',
    description: 'Creation code of the orchestrations that a bundle deploys: 0x and hex.',
  },
  {
    name: 'HANDOVER_ENTRYPOINTS_<chainId>',
    default: '',
    description:
      'Further EntryPoint contracts of ERC-4337 whose events count, beside 0.6 to 0.9: addresses separated by commas.',
  },
  {
    name: 'HANDOVER_SAFE_SINGLETONS_<chainId>',
    default: '',
    description:
      'Further singletons of Safe accounts that are known, beside those released: addresses separated by commas.',
  },
  {
    name: 'HANDOVER_TOKEN',
    default: '',
    description:
      'For commands with --server and without --token: @ and the file that holds the token, which only its user may read.',
  },
  {
    name: 'HANDOVER_DEBUG',
    default: '',
    description: '1: a command that fails also prints where, for a report of the failure.',
  },
  {
    name: 'XDG_DATA_HOME',
    default: '',
    description: 'Where the data folder is made when neither HANDOVER_DATA_DIR nor MACP_DATA_DIR is set.',
  },
  {
    name: 'HOME',
    default: '',
    description: 'The same, when XDG_DATA_HOME is not set: .local/share below it.',
  },
  {
    name: 'GRPC_VERBOSITY',
    default: '',
    description: 'How much the gRPC library logs by itself; nothing unless it is set.',
  },
];
