// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// One rule document, kept by its owner. The smallest contract that answers what an XRC-137 reader asks.
/// The text is stored as it comes: readers hash and compare bytes, so nothing here parses or reorders it.
contract Xrc137 {
    error NotOwner();
    error ZeroAddress();

    event RuleUpdated(bytes32 indexed ruleHash, uint256 version);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    address public owner;
    uint256 public getRuleVersion;
    string private rule;

    constructor(string memory json) {
        owner = msg.sender;
        emit OwnershipTransferred(address(0), msg.sender);
        store(json);
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    function getRule() external view returns (string memory) {
        return rule;
    }

    function getRuleHash() external view returns (bytes32) {
        return keccak256(bytes(rule));
    }

    /// Encrypted documents open with XGR1.
    function isEncrypted() external view returns (bool) {
        bytes memory text = bytes(rule);
        return text.length >= 4 && text[0] == "X" && text[1] == "G" && text[2] == "R" && text[3] == "1";
    }

    function updateRule(string memory json) external onlyOwner {
        store(json);
    }

    function transferOwnership(address newOwner) external onlyOwner {
        if (newOwner == address(0)) revert ZeroAddress();
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function store(string memory json) private {
        rule = json;
        getRuleVersion += 1;
        emit RuleUpdated(keccak256(bytes(json)), getRuleVersion);
    }
}
