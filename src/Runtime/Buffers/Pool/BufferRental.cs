using System.Diagnostics;

namespace BufferedMessages;

/// <summary>A stream or an owner that was rented from a pool with <see cref="BufferPoolOptions.TrackRentals"/>. Immutable.</summary>
public sealed class BufferRental
{
    private readonly WeakReference<object> _owner;
    private readonly StackTrace _stack;

    internal BufferRental(object owner, string? tag, DateTimeOffset rentedAt, StackTrace stack)
    {
        _owner = new WeakReference<object>(owner);
        _stack = stack;
        Kind = owner.GetType().Name;
        Tag = tag;
        RentedAt = rentedAt;
    }

    /// <summary>Gets the kind of rental: the name of the owner's type.</summary>
    public string Kind { get; }

    /// <summary>Gets the tag it was rented with.</summary>
    public string? Tag { get; }

    /// <summary>Gets the time at which it was rented.</summary>
    public DateTimeOffset RentedAt { get; }

    /// <summary>Gets the stack trace of the rental, with files and lines if there are symbols.</summary>
    public string StackTrace => _stack.ToString();

    internal bool IsLeaked => !_owner.TryGetTarget(out _);

    /// <summary>Returns the kind, tag, time and stack trace of the rental.</summary>
    public override string ToString() => $"{Kind} '{Tag}', rented at {RentedAt:O}{Environment.NewLine}{StackTrace}";
}
