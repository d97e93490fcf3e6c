/** Reads XRC contracts for agents, through the RPC alone and with their texts unchanged, and draws processes. */
import {
  Family,
  type Fields,
  isFields,
  isText,
  type JsonObject,
  member,
  OperationStatus,
  operationExpired,
  RejectionCode,
  reject,
  rejectWith,
} from '@handover/core';
import {
  entrySteps,
  isAddress,
  type MermaidOptions,
  mermaidText,
  processGraph,
  readSteps,
  requiredInputs,
} from '@handover/evm';
import type { Principal } from '../../auth/principal.js';
import { type ChainClient, ChainRefused, ChainUnavailable, type Hex } from '../../chain/port.js';
import { readAuthority, readOstcText, readRuleText } from '../../chain/read-xrc.js';
import { iso } from '../../platform/iso.js';
import type { Outcome } from '../outcome.js';
import { parsed, quietly, rulesOnChain } from './chain-documents.js';
import type { OperationDependencies } from './dependencies.js';
import { bundleDeployService } from './families/bundle-deploy/bundle-deploy.js';
import { bundleDiagram, drawn } from './families/bundle-deploy/diagram.js';
import { findForAgent } from './find.js';

export interface DiagramArguments extends MermaidOptions {
  readonly source: 'runtime' | 'bundle' | 'bundle_handoff';
  readonly xrc729Address?: string;
  readonly ostcId?: string;
  readonly bundle?: JsonObject;
  readonly handle?: string;
  readonly chainId?: number;
  readonly includeRules?: boolean;
}

const refused = (message: string) => ({ rejection: reject(RejectionCode.VALIDATION_ERROR, message) });
const NO_RPC = reject(
  RejectionCode.HANDOFF_FAILED,
  'no RPC is configured for this chain, or it does not answer',
);

export class ChainReads {
  readonly #deps: OperationDependencies;

  constructor(deps: OperationDependencies) {
    this.#deps = deps;
  }

  async ostcText(address: string, ostcId: string, chainId?: number): Promise<Outcome<JsonObject>> {
    return this.#text(chainId, (client) => readOstcText(client, address.toLowerCase() as Hex, ostcId), {
      xrc729Address: address,
      ostcId,
    });
  }

  async ruleText(address: string, chainId?: number): Promise<Outcome<JsonObject>> {
    return this.#text(chainId, (client) => readRuleText(client, address.toLowerCase() as Hex), {
      xrc137Address: address,
    });
  }

  async authority(orchestration: string, chainId?: number): Promise<Outcome<JsonObject>> {
    const client = await this.#client(chainId);
    if (!client) return { rejection: NO_RPC };
    const found = await readAuthority(client, orchestration.toLowerCase() as Hex);
    const warnings = found.authorityStatus === 'unavailable' ? ['AUTHORITY_UNAVAILABLE'] : [];
    const { executors, ...rest } = found;
    return {
      value: {
        orchestration,
        ...rest,
        ...(executors && { executors: [...executors] }),
        authoritySource: 'rpc',
        warnings,
      },
    };
  }

  /** Steps, rules and what each step needs. An agent looks at this before it prepares a session. */
  async processGraph(address: string, ostcId: string, chainId?: number): Promise<Outcome<JsonObject>> {
    const client = await this.#client(chainId);
    if (!client) return { rejection: NO_RPC };
    const { document, rules } = await this.#runtime(client, address, ostcId);
    if (document === undefined) return refused('the orchestration cannot be read from the chain');
    const graph = processGraph(document, (rule) => rules.get(rule.toLowerCase()));
    const steps = readSteps(document).steps.map(({ id, rule }) => {
      const read = rule === undefined ? undefined : rules.get(rule.toLowerCase());
      const fields = Object.entries(isFields(read?.payload) ? read.payload : {});
      const required = read ? requiredInputs(read) : [];
      return {
        stepId: id,
        ...(rule !== undefined && { rule }),
        requiredPayload: fields
          .filter(([name]) => required.includes(name))
          .map(([name, field]) => fieldView(name, field)),
        optionalPayload: fields
          .filter(([name]) => !required.includes(name))
          .map(([name, field]) => fieldView(name, field)),
      };
    });
    const entries = entrySteps(readSteps(document).steps);
    return {
      value: {
        xrc729Address: address,
        ostcId,
        entrySteps: entries,
        steps,
        ...(graph as unknown as JsonObject),
        mermaid: mermaidText(graph, { includePayloadFields: true }),
      } as unknown as JsonObject,
    };
  }

  async diagram(principal: Principal, args: DiagramArguments): Promise<Outcome<JsonObject>> {
    switch (args.source) {
      case 'bundle':
        if (!isFields(args.bundle)) return refused('bundle is required for source bundle');
        return bundleDiagram(args.bundle, args, 'invalid xgr-multi-bundle@1');
      case 'bundle_handoff':
        return this.#ofHandoff(principal, args);
      case 'runtime':
        return this.#ofRuntime(args);
    }
  }

  async #ofHandoff(principal: Principal, args: DiagramArguments): Promise<Outcome<JsonObject>> {
    if (!isText(args.handle)) return refused('handle is required for source bundle_handoff');
    const found = await findForAgent(this.#deps, principal, args.handle, Family.BundleDeploy);
    if (!found) return { rejection: bundleDeployService.notFound };
    const { state } = found.record;
    if (state.status === OperationStatus.Expired) {
      const { code } = operationExpired();
      const expiresAt = iso(state.expiresAt);
      return { rejection: rejectWith(code, `the handoff expired at ${expiresAt}`, { expiresAt }) };
    }
    const derived = await this.#deps.documents.derive(found.record, 'storedDiagram', args);
    return 'rejection' in derived ? derived : derived.value;
  }

  async #ofRuntime(args: DiagramArguments): Promise<Outcome<JsonObject>> {
    const { xrc729Address, ostcId, chainId } = args;
    if (!isAddress(xrc729Address) || !isText(ostcId))
      return refused('xrc729Address and ostcId are required for source runtime');
    const client = await this.#client(chainId);
    const { document, rules } = client
      ? await this.#runtime(client, xrc729Address, ostcId, args.includeRules !== false)
      : { document: undefined, rules: new Map<string, Fields>() };
    const graph = processGraph(document, (rule) => rules.get(rule.toLowerCase()));
    // An orchestration that cannot be read gives an empty diagram and a warning, not a failure.
    const unreadable = {
      code: 'RUNTIME_UNAVAILABLE',
      message: 'the orchestration cannot be read from the chain',
    };
    const shown = document === undefined ? { ...graph, warnings: [unreadable] } : graph;
    return { value: drawn('runtime', 'runtime', shown, args) };
  }

  async #runtime(client: ChainClient, address: string, ostcId: string, withRules = true) {
    const text = await quietly(readOstcText(client, address.toLowerCase() as Hex, ostcId));
    const document = text === undefined ? undefined : parsed(text);
    const rules = withRules ? await rulesOnChain(client, document) : new Map<string, Fields>();
    return { document, rules };
  }

  async #text(
    chainId: number | undefined,
    read: (client: ChainClient) => Promise<string | undefined>,
    named: JsonObject,
  ): Promise<Outcome<JsonObject>> {
    const client = await this.#client(chainId);
    if (!client) return { rejection: NO_RPC };
    try {
      const text = await read(client);
      if (text === undefined) return refused('the contract does not answer with such a text');
      return { value: { ...named, chainId: client.chainId, json: text } };
    } catch (thrown) {
      if (thrown instanceof ChainUnavailable || thrown instanceof ChainRefused) return { rejection: NO_RPC };
      throw thrown;
    }
  }

  async #client(chainId: number | undefined): Promise<ChainClient | undefined> {
    const { chains } = this.#deps;
    return quietly(chainId === undefined ? chains.defaultChain() : chains.chain(chainId));
  }
}

function fieldView(name: string, field: unknown): JsonObject {
  const type = member(field, 'type');
  const fallback = member(field, 'default');
  return {
    name,
    type: isText(type) ? type : '',
    ...(fallback !== undefined && { default: fallback as never }),
  };
}
