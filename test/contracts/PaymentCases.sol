// SPDX-License-Identifier: MIT
// Tokens, wallets and senders that pay as those on public chains do, and some that only look so. For tests only: anybody
// may move anybody's tokens.
pragma solidity 0.8.37;

contract Token {
    uint8 public immutable decimals;
    string public symbol;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        unchecked {
            balanceOf[to] += value;
        }
        emit Transfer(address(0), to, value);
    }

    function burn(address from, uint256 value) external {
        balanceOf[from] -= value;
        emit Transfer(from, address(0), value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) internal virtual {
        balanceOf[from] -= value;
        unchecked {
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}

/// A hundredth of each transfer goes to a collector.
contract FeeToken is Token("FEE", 6) {
    address public constant COLLECTOR = address(0xfee);

    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = value / 100;
        super._move(from, to, value - fee);
        super._move(from, COLLECTOR, fee);
    }
}

/// Balances are shares of a pool that grows, without an event.
contract RebasingToken {
    uint256 public factor = 1;
    mapping(address => uint256) public shares;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        shares[to] += value / factor;
        emit Transfer(address(0), to, value);
    }

    function rebase(uint256 factor_) external {
        factor = factor_;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        shares[msg.sender] -= value / factor;
        shares[to] += value / factor;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

contract Proxy {
    address private immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }

    fallback() external payable {
        (bool done, bytes memory answer) = implementation.delegatecall(msg.data);
        assembly ("memory-safe") {
            switch done
            case 0 { revert(add(answer, 0x20), mload(answer)) }
            default { return(add(answer, 0x20), mload(answer)) }
        }
    }
}

/// The same topic, with the number of a token in place of an amount.
contract Nft {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function transferFrom(address from, address to, uint256 tokenId) external {
        emit Transfer(from, to, tokenId);
    }
}

/// The same topic, with all values in the data.
contract UnindexedToken {
    event Transfer(address from, address to, uint256 value);

    function transfer(address to, uint256 value) external {
        emit Transfer(msg.sender, to, value);
    }
}

/// Emits what it is told, and moves nothing.
contract Noise {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function say(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    /// Any topics and data: up to four topics.
    function log(bytes32[] calldata topics, bytes calldata content) external {
        bytes memory data = content;
        bytes32 a = topics[0];
        if (topics.length == 3) {
            bytes32 b = topics[1];
            bytes32 c = topics[2];
            assembly ("memory-safe") { log3(add(data, 0x20), mload(data), a, b, c) }
        } else {
            assembly ("memory-safe") { log1(add(data, 0x20), mload(data), a) }
        }
    }
}

struct Call {
    address to;
    uint256 value;
    bytes data;
    bool mayFail;
}

/// A multicall, which an account may also take as its code (EIP-7702).
contract Batch {
    error Failed();

    receive() external payable {}

    function run(Call[] calldata calls) external payable {
        for (uint256 at = 0; at < calls.length; at++) {
            (bool done, ) = calls[at].to.call{value: calls[at].value}(calls[at].data);
            if (!done && !calls[at].mayFail) revert Failed();
        }
    }

    /// Does all, and then undoes it.
    function runAndRevert(Call[] calldata calls) external payable {
        this.run{value: msg.value}(calls);
        revert Failed();
    }

    /// Runs other code with this value in this account, which moves nothing.
    function runAsOther(address code, bytes calldata data) external payable {
        (bool done, ) = code.delegatecall(data);
        if (!done) revert Failed();
    }

    function callCode(address code, uint256 value) external payable {
        bool done;
        assembly ("memory-safe") { done := callcode(gas(), code, value, 0, 0, 0, 0) }
        if (!done) revert Failed();
    }

    function burnGas() external payable {
        for (uint256 at = 0; ; at++) {
            assembly ("memory-safe") { sstore(at, 1) }
        }
    }
}

contract Wallet {
    event ExecutionSuccess(bool done);

    receive() external payable {}

    function execTransaction(address to, uint256 value, bytes calldata data) external payable returns (bool done) {
        (done, ) = to.call{value: value}(data);
        emit ExecutionSuccess(done);
    }
}

/// Runs the operations of wallets for a bundler, and goes on after one that fails.
contract EntryPoint {
    struct Operation {
        Wallet sender;
        address to;
        uint256 value;
        bytes data;
        bool fails;
    }

    event UserOperationEvent(address indexed sender, bool success);

    error Undone();

    receive() external payable {}

    function handleOps(Operation[] calldata operations, address payable beneficiary) external {
        for (uint256 at = 0; at < operations.length; at++) {
            bool done;
            try this.inner(operations[at]) {
                done = true;
            } catch {}
            emit UserOperationEvent(address(operations[at].sender), done);
        }
        (bool paid, ) = beneficiary.call{value: address(this).balance}("");
        if (!paid) revert Undone();
    }

    function inner(Operation calldata operation) external {
        operation.sender.execTransaction(operation.to, operation.value, operation.data);
        if (operation.fails) revert Undone();
    }
}

/// Sends its balance to an account as it ends.
contract Ending {
    receive() external payable {}

    function end(address payable to) external {
        selfdestruct(to);
    }
}

contract EndingAtOnce {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}

/// Gives half of what it receives back.
contract HalfBack {
    receive() external payable {
        (bool done, ) = msg.sender.call{value: msg.value / 2}("");
        require(done);
    }
}

contract Refusing {
    receive() external payable {
        revert();
    }
}

contract Endowed {
    constructor() payable {}
}
