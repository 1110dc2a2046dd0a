using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>A message that is one unmanaged struct, read in place. Valid as long as its delivery is open.</summary>
/// <typeparam name="T">Its size and its fields, with their names, must be the producer's.</typeparam>
public readonly ref struct ValueMessage<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] T>
    : IQueuePayload<ValueMessage<T>>
    where T : unmanaged
{
    private readonly ref readonly T _value;

    private ValueMessage(ref readonly T value) => _value = ref value;

    /// <summary>Gets a reference to the struct in the mapped queue; it is not copied.</summary>
    /// <exception cref="InvalidOperationException">This is the default value.</exception>
    public ref readonly T Value
    {
        get
        {
            if (Unsafe.IsNullRef(in _value))
            {
                ThrowEmpty();
            }

            return ref _value;
        }
    }

    /// <summary>Returns the text of the struct. Allocates.</summary>
    public override string? ToString() => Value.ToString();

    static RecordContent IQueuePayload<ValueMessage<T>>.Expected => RecordContent.Values<T>();

    static ValueMessage<T> IQueuePayload<ValueMessage<T>>.Open(ReadOnlySpan<byte> payload)
    {
        if (payload.Length != Unsafe.SizeOf<T>())
        {
            Refuse(payload.Length);
        }

        return new ValueMessage<T>(in Unsafe.As<byte, T>(ref MemoryMarshal.GetReference(payload)));
    }

    [DoesNotReturn]
    private static void Refuse(int length) =>
        throw new MalformedMessageException($"it has {length} bytes, and a value of {typeof(T)} has {Unsafe.SizeOf<T>()}", length);

    [DoesNotReturn]
    private static void ThrowEmpty() => throw new InvalidOperationException("This is the default value, which holds no struct. Take it from a delivery.");
}
