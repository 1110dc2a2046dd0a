using System.Diagnostics;

namespace BufferedMessages;

/// <summary>The current rentals of a pool that tracks them. It holds the owners weakly, and finds those that were collected without being disposed. Thread-safe.</summary>
internal sealed class RentalLog(TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly HashSet<BufferRental> _rentals = [];

    public BufferRental Add(object owner, string? tag)
    {
        var rental = new BufferRental(owner, tag, time.GetUtcNow(), new StackTrace(skipFrames: 2, fNeedFileInfo: true));
        lock (_gate)
        {
            _rentals.Add(rental);
        }

        return rental;
    }

    public void Remove(BufferRental rental)
    {
        lock (_gate)
        {
            _rentals.Remove(rental);
        }
    }

    public bool IsEmpty
    {
        get
        {
            lock (_gate)
            {
                return _rentals.Count == 0;
            }
        }
    }

    /// <summary>Returns all current rentals, in no order.</summary>
    public BufferRental[] ToArray()
    {
        lock (_gate)
        {
            return [.. _rentals];
        }
    }

    /// <summary>Removes and gives those whose owner is gone.</summary>
    public List<BufferRental> TakeLeaked()
    {
        lock (_gate)
        {
            var leaked = _rentals.Where(rental => rental.IsLeaked).ToList();
            _rentals.ExceptWith(leaked);
            return leaked;
        }
    }
}
