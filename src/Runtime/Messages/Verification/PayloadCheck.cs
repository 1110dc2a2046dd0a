using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The verification of a payload, and of the slot that leads to it.</summary>
internal abstract class PayloadCheck
{
    /// <summary>Verifies the payload of a slot.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="container">The block or slot array with the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    public abstract bool Verify(ref MessageVerifier verifier, BlockReader container, int offset);
}

/// <summary>The verification of a string.</summary>
internal sealed class TextCheck : PayloadCheck
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.Text(container, offset);
}

/// <summary>The verification of a binary.</summary>
internal sealed class BinaryCheck : PayloadCheck
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.Binary(container, offset);
}

/// <summary>The verification of a nested message.</summary>
internal sealed class MessageCheck(BlockCheck type) : PayloadCheck
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader container, int offset)
    {
        var slot = container.ReadSlot(offset);
        return slot == 0
            || (verifier.Enter(verifier.Follow(container, offset, slot), (uint)slot, out var block) && type.Verify(ref verifier, block) && verifier.Leave());
    }
}

/// <summary>The verification of a union.</summary>
internal sealed class UnionCheck : PayloadCheck
{
    private readonly Dictionary<int, BlockCheck> _cases = [];

    /// <summary>Adds a case, whose type may refer to the union.</summary>
    public void Add(int number, BlockCheck type) => _cases.Add(number, type);

    public override bool Verify(ref MessageVerifier verifier, BlockReader container, int offset) =>
        verifier.Case(container, offset, out var number, out var block) && (number == 0 || (VerifyCase(ref verifier, number, block) && verifier.Leave()));

    private bool VerifyCase(ref MessageVerifier verifier, ushort number, BlockReader block) =>
        _cases.TryGetValue(number, out var type) ? type.Verify(ref verifier, block) : verifier.UnknownCase();
}

/// <summary>The verification of a list.</summary>
internal sealed class ListCheck(ElementsCheck elements) : PayloadCheck
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader container, int offset) =>
        verifier.List(container, offset, out var position, out var count) && (count == 0 || elements.Verify(ref verifier, position, count));
}

/// <summary>The verification of a set.</summary>
internal sealed class SetCheck(KeysCheck keys) : PayloadCheck
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader container, int offset) => keys.Set(ref verifier, container, offset);
}

/// <summary>The verification of a dictionary.</summary>
internal sealed class DictionaryCheck(KeysCheck keys, ElementsCheck values) : PayloadCheck
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader container, int offset)
    {
        if (!verifier.List(container, offset, out var position, out var count))
        {
            return false;
        }

        return count == 0
            || (verifier.Table(position, count, keys.ElementBytes, out var header)
                && (keys.Verify(ref verifier, (int)position, (int)count) || verifier.In("Keys"))
                && verifier.DictionaryHeader((int)position, header)
                && (values.Verify(ref verifier, position + header, count) || verifier.In("Values")));
    }
}
