// SPDX-License-Identifier: MIT
// The token of the local chain: a dollar without value that moves by signed authorization (EIP-3009), so that paid
// requests can be tried without real money. For development only: any account can mint as much as it likes.
pragma solidity 0.8.37;

interface IContractSigner {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

contract TestDollar {
    string public constant name = "Test Dollar";
    string public constant symbol = "TESTUSD";
    string public constant version = "1";
    uint8 public constant decimals = 6;

    uint256 public constant MOST_AT_ONCE = 1_000_000 * 10 ** 6;

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
        keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH =
        keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    uint256 public totalSupply;
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    /// @notice Whether the authorization with this nonce is used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    error AuthorizationExpired();
    error AuthorizationNotYetValid();
    error AuthorizationUsedOrCanceled();
    error CallerIsNotPayee();
    error InsufficientAllowance();
    error InsufficientBalance();
    error InvalidReceiver();
    error InvalidSignature();
    error TooMuchAtOnce();

    /// @notice Mints tokens for the caller, a million at most.
    function mint(uint256 value) external {
        if (value > MOST_AT_ONCE) revert TooMuchAtOnce();
        totalSupply += value;
        balanceOf[msg.sender] += value;
        emit Transfer(address(0), msg.sender, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert InsufficientAllowance();
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _transfer(from, to, value);
        return true;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _inTime(validAfter, validBefore);
        bytes32 typeHash = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        bytes32 signed = keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce));
        _use(from, nonce, signed, abi.encodePacked(r, s, v));
        _transfer(from, to, value);
    }

    /// @param signature For an account r, s, v; for a contract whatever its isValidSignature accepts (ERC-1271).
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        _inTime(validAfter, validBefore);
        bytes32 typeHash = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        bytes32 signed = keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce));
        _use(from, nonce, signed, signature);
        _transfer(from, to, value);
    }

    /// @notice As transferWithAuthorization, but only for the payee, so that no other account can send it first.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (to != msg.sender) revert CallerIsNotPayee();
        _inTime(validAfter, validBefore);
        bytes32 typeHash = RECEIVE_WITH_AUTHORIZATION_TYPEHASH;
        bytes32 signed = keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce));
        _use(from, nonce, signed, abi.encodePacked(r, s, v));
        _transfer(from, to, value);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        if (to != msg.sender) revert CallerIsNotPayee();
        _inTime(validAfter, validBefore);
        bytes32 typeHash = RECEIVE_WITH_AUTHORIZATION_TYPEHASH;
        bytes32 signed = keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce));
        _use(from, nonce, signed, signature);
        _transfer(from, to, value);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        _cancel(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external {
        _cancel(authorizer, nonce, signature);
    }

    /// @notice Computed at each call, because the code may be placed at any address and its chain may change its id.
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
        );
        return
            keccak256(
                abi.encode(typeHash, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
            );
    }

    function _inTime(uint256 validAfter, uint256 validBefore) private view {
        if (block.timestamp <= validAfter) revert AuthorizationNotYetValid();
        if (block.timestamp >= validBefore) revert AuthorizationExpired();
    }

    function _use(address authorizer, bytes32 nonce, bytes32 signed, bytes memory signature) private {
        _spend(authorizer, nonce, signed, signature);
        emit AuthorizationUsed(authorizer, nonce);
    }

    function _cancel(address authorizer, bytes32 nonce, bytes memory signature) private {
        _spend(authorizer, nonce, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _spend(address authorizer, bytes32 nonce, bytes32 signed, bytes memory signature) private {
        if (authorizationState[authorizer][nonce]) revert AuthorizationUsedOrCanceled();
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), signed));
        bool isSigned = authorizer.code.length == 0
            ? _isAccountSignature(authorizer, digest, signature)
            : _isContractSignature(authorizer, digest, signature);
        if (!isSigned) revert InvalidSignature();
        authorizationState[authorizer][nonce] = true;
    }

    function _isAccountSignature(address signer, bytes32 digest, bytes memory signature) private pure returns (bool) {
        if (signature.length != 65) return false;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        // Of the two equivalent signatures of one key, only that with the lower s is valid.
        if (uint256(s) > 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0) return false;
        address recovered = ecrecover(digest, v, r, s);
        return recovered != address(0) && recovered == signer;
    }

    function _isContractSignature(address signer, bytes32 digest, bytes memory signature) private view returns (bool) {
        (bool answered, bytes memory answer) = signer.staticcall(
            abi.encodeCall(IContractSigner.isValidSignature, (digest, signature))
        );
        return
            answered &&
            answer.length >= 32 &&
            abi.decode(answer, (bytes32)) == bytes32(IContractSigner.isValidSignature.selector);
    }

    function _transfer(address from, address to, uint256 value) private {
        if (to == address(0)) revert InvalidReceiver();
        uint256 balance = balanceOf[from];
        if (balance < value) revert InsufficientBalance();
        unchecked {
            balanceOf[from] = balance - value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}
