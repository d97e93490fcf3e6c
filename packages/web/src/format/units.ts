export { formatUnits, grouped } from '@handover/evm';
