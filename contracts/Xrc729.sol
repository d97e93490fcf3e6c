// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Orchestration documents (OSTC) by id, kept by one owner, with a list of those who may run them besides.
/// The smallest contract that answers what an XRC-729 reader asks; texts are stored as they come.
contract Xrc729 {
    error NotOwner();
    error ZeroAddress();
    error NotFound(string id);
    error LengthMismatch();
    error AlreadyExecutor(address executor);
    error NotExecutor(address executor);

    event OSTCUpdated(
        address indexed registry,
        address indexed owner,
        bytes32 indexed idHash,
        bytes32 ostcHash,
        string id,
        uint256 version,
        uint64 updatedAt
    );
    event OSTCDeleted(string id);
    event ExecutorAdded(address indexed executor);
    event ExecutorRemoved(address indexed executor);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    struct Document {
        string json;
        uint256 version;
        uint64 updatedAt;
        /// One more than its place in `ids`; 0 says that there is none.
        uint256 place;
    }

    address public owner;
    string[] private ids;
    address[] private executors;
    mapping(string => Document) private documents;
    /// One more than its place in `executors`.
    mapping(address => uint256) private executorPlace;

    constructor(string[] memory ids_, string[] memory jsons, address[] memory executors_) {
        if (ids_.length != jsons.length) revert LengthMismatch();
        owner = msg.sender;
        emit OwnershipTransferred(address(0), msg.sender);
        for (uint256 i = 0; i < ids_.length; i++) store(ids_[i], jsons[i]);
        for (uint256 i = 0; i < executors_.length; i++) admit(executors_[i]);
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    function hasOSTC(string memory id) external view returns (bool) {
        return documents[id].place != 0;
    }

    function getOSTC(string memory id) external view returns (string memory) {
        return known(id).json;
    }

    function getOSTCMeta(string memory id)
        external
        view
        returns (bytes32 hash, uint256 version, uint64 updatedAt)
    {
        Document storage document = known(id);
        return (keccak256(bytes(document.json)), document.version, document.updatedAt);
    }

    /// The ids, in no promised order.
    function getAllOSTC() external view returns (string[] memory) {
        return ids;
    }

    function getExecutorList() external view returns (address[] memory) {
        return executors;
    }

    function isExecutor(address account) external view returns (bool) {
        return executorPlace[account] != 0;
    }

    function setOSTC(string memory id, string memory json) external onlyOwner {
        store(id, json);
    }

    function deleteOSTC(string memory id) external onlyOwner {
        uint256 place = known(id).place;
        string memory last = ids[ids.length - 1];
        ids[place - 1] = last;
        documents[last].place = place;
        ids.pop();
        delete documents[id];
        emit OSTCDeleted(id);
    }

    function addExecutor(address account) external onlyOwner {
        admit(account);
    }

    function removeExecutor(address account) external onlyOwner {
        uint256 place = executorPlace[account];
        if (place == 0) revert NotExecutor(account);
        address last = executors[executors.length - 1];
        executors[place - 1] = last;
        executorPlace[last] = place;
        executors.pop();
        delete executorPlace[account];
        emit ExecutorRemoved(account);
    }

    function transferOwnership(address newOwner) external onlyOwner {
        if (newOwner == address(0)) revert ZeroAddress();
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function known(string memory id) private view returns (Document storage document) {
        document = documents[id];
        if (document.place == 0) revert NotFound(id);
    }

    function store(string memory id, string memory json) private {
        Document storage document = documents[id];
        if (document.place == 0) {
            ids.push(id);
            document.place = ids.length;
        }
        document.json = json;
        document.version += 1;
        document.updatedAt = uint64(block.timestamp);
        emit OSTCUpdated(
            address(this),
            msg.sender,
            keccak256(bytes(id)),
            keccak256(bytes(json)),
            id,
            document.version,
            document.updatedAt
        );
    }

    function admit(address account) private {
        if (account == address(0)) revert ZeroAddress();
        if (executorPlace[account] != 0) revert AlreadyExecutor(account);
        executors.push(account);
        executorPlace[account] = executors.length;
        emit ExecutorAdded(account);
    }
}
