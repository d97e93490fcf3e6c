/** The working session from which a file was made, where it is still open: what is imported is a second one beside it. */
import { WorklogStatus } from '@handover/core';
import { DEFAULT_TENANT } from '../../services/dependencies.js';
import { worklogRef } from '../../services/handoffs/worklogs.js';
import { withFolder } from '../capture/look-at-folder.js';

export const isOpenWork = (folder: string, key: string): Promise<boolean> =>
  withFolder(folder, Number.POSITIVE_INFINITY, async (look) => {
    const state = (await look.engine.query(worklogRef(DEFAULT_TENANT, key)))?.state;
    return state?.status === WorklogStatus.Active;
  });
