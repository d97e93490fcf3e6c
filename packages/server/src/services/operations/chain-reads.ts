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
import type { ChainClient, Hex } from '../../chain/port.js';
import { readAuthority, readOstcText, readRuleText } from '../../chain/read-xrc.js';
import { iso } from '../../platform/iso.js';
import type { Outcome } from '../outcome.js';
import { parsed, rulesOnChain } from './chain-documents.js';
import { patienceOf, reading } from './chain-patience.js';
import type { OperationDependencies } from './dependencies.js';
import { bundleDeployService } from './families/bundle-deploy/bundle-deploy.js';
import { bundleDiagram, drawn } from './families/bundle-deploy/diagram.js';
import { checkSessionStart } from './families/session-start/check.js';
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
const NO_RPC = reject(RejectionCode.HANDOFF_FAILED, 'no RPC is configured for this chain');

export class ChainReads {
  readonly #deps: OperationDependencies;

  constructor(deps: OperationDependencies) {
    this.#deps = deps;
  }

  async ostcText(
    principal: Principal,
    address: string,
    ostcId: string,
    chainId?: number,
  ): Promise<Outcome<JsonObject>> {
    const named = { xrc729Address: address, ostcId };
    const read = (client: ChainClient) => readOstcText(client, address.toLowerCase() as Hex, ostcId);
    return this.#text(principal, chainId, read, named);
  }

  async ruleText(principal: Principal, address: string, chainId?: number): Promise<Outcome<JsonObject>> {
    const read = (client: ChainClient) => readRuleText(client, address.toLowerCase() as Hex);
    return this.#text(principal, chainId, read, { xrc137Address: address });
  }

  async authority(
    principal: Principal,
    orchestration: string,
    chainId?: number,
  ): Promise<Outcome<JsonObject>> {
    const reached = await this.#client(principal, chainId);
    if ('rejection' in reached) return reached;
    const { value: client } = reached;
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
  async processGraph(
    principal: Principal,
    address: string,
    ostcId: string,
    chainId?: number,
  ): Promise<Outcome<JsonObject>> {
    const reached = await this.#client(principal, chainId);
    if ('rejection' in reached) return reached;
    const read = await reading(this.#runtime(reached.value, address, ostcId));
    if ('rejection' in read) return read;
    const { document, rules } = read.value;
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

  /** Whether a session start would be made as asked, and what would be said of it. */
  async checkSessionStart(
    principal: Principal,
    request: JsonObject,
    chainId?: number,
  ): Promise<Outcome<JsonObject>> {
    const findings = await checkSessionStart(this.#deps, principal, request, chainId);
    return { value: findings as unknown as JsonObject };
  }

  async diagram(principal: Principal, args: DiagramArguments): Promise<Outcome<JsonObject>> {
    switch (args.source) {
      case 'bundle':
        if (!isFields(args.bundle)) return refused('bundle is required for source bundle');
        return bundleDiagram(args.bundle, args, 'invalid xgr-multi-bundle@1');
      case 'bundle_handoff':
        return this.#ofHandoff(principal, args);
      case 'runtime':
        return this.#ofRuntime(principal, args);
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

  async #ofRuntime(principal: Principal, args: DiagramArguments): Promise<Outcome<JsonObject>> {
    const { xrc729Address, ostcId, chainId } = args;
    if (!isAddress(xrc729Address) || !isText(ostcId))
      return refused('xrc729Address and ostcId are required for source runtime');
    const reached = await this.#client(principal, chainId);
    const read =
      'rejection' in reached
        ? reached
        : await reading(this.#runtime(reached.value, xrc729Address, ostcId, args.includeRules !== false));
    const { document, rules } = 'rejection' in read ? UNREAD : read.value;
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
    const text = await readOstcText(client, address.toLowerCase() as Hex, ostcId);
    const document = text === undefined ? undefined : parsed(text);
    const rules = withRules ? await rulesOnChain(client, document) : new Map<string, Fields>();
    return { document, rules };
  }

  async #text(
    principal: Principal,
    chainId: number | undefined,
    read: (client: ChainClient) => Promise<string | undefined>,
    named: JsonObject,
  ): Promise<Outcome<JsonObject>> {
    const reached = await this.#client(principal, chainId);
    if ('rejection' in reached) return reached;
    const { value: client } = reached;
    const found = await reading(read(client));
    if ('rejection' in found) return found;
    if (found.value === undefined) return refused('the contract does not answer with such a text');
    return { value: { ...named, chainId: client.chainId, json: found.value } };
  }

  async #client(principal: Principal, chainId: number | undefined): Promise<Outcome<ChainClient>> {
    const { chains } = this.#deps;
    const patience = patienceOf(principal);
    const found = await reading(
      chainId === undefined ? chains.defaultChain(patience) : chains.chain(chainId, patience),
    );
    if ('rejection' in found) return found;
    return found.value ? { value: found.value } : { rejection: NO_RPC };
  }
}

const UNREAD = { document: undefined, rules: new Map<string, Fields>() };

function fieldView(name: string, field: unknown): JsonObject {
  const type = member(field, 'type');
  const fallback = member(field, 'default');
  return {
    name,
    type: isText(type) ? type : '',
    ...(fallback !== undefined && { default: fallback as never }),
  };
}
