import { ReasonCode } from '@handover/core';
import { quoted } from '../format/quoted.js';
import type { HandoffRecord, Step } from '../model/record.js';

/** What a wallet said in its own words, while that is all there is: quoted, for they may say anything. */
export function WalletWords({ record, step }: { readonly record: HandoffRecord; readonly step: Step }) {
  const { error, status, claims = [] } = step;
  const isOnlyWord = (status === 'failed' || status === 'requested') && claims.length === 0;
  if (error === undefined || !isOnlyWord) return null;
  return (
    <p class="quiet">
      {speaker(record, step)}: “<bdi>{quoted(error, 300)}</bdi>”
    </p>
  );
}

function speaker({ family }: HandoffRecord, { reasonCode, walletCode }: Step): string {
  if (reasonCode === undefined) return 'Reported';
  if (reasonCode === ReasonCode.WalletError && walletCode === undefined) return 'This page said';
  return family === 'session_start' ? 'Your wallet or the network says' : 'Your wallet says';
}
