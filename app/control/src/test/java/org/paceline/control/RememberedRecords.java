package org.paceline.control;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.paceline.control.audit.NumberedRecords;
import org.paceline.control.port.Records;

/** Records in memory, which a second controller can be given as after a restart. */
public final class RememberedRecords<T> implements Records<T> {
  private final Map<String, T> values = new ConcurrentSkipListMap<>();
  private final Runnable beforeWriting;
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private boolean refusing;

  public RememberedRecords() {
    this(() -> {});
  }

  /**
   * @param beforeWriting may throw what a write meets
   */
  public RememberedRecords(Runnable beforeWriting) {
    this.beforeWriting = beforeWriting;
  }

  /** Under the numbers that they are kept under; none was exported. */
  public static <T> NumberedRecords<T> numbered(Records<T> records) {
    return new NumberedRecords<>("test", records, new RememberedRecords<>());
  }

  /** As where a newer Paceline wrote it: the key is taken, and the value is nobody's. */
  public void makeUnreadable(String key) {
    unreadable.add(key);
  }

  /** From now on nothing can be written. */
  public void refuse() {
    refusing = true;
  }

  @Override
  public Set<String> keys() {
    return Set.copyOf(values.keySet());
  }

  @Override
  public int size() {
    return values.size();
  }

  @Override
  public boolean contains(String key) {
    return values.containsKey(key);
  }

  @Override
  public Optional<T> find(String key) {
    return unreadable.contains(key) ? Optional.empty() : Optional.ofNullable(values.get(key));
  }

  @Override
  public boolean add(String key, T value) {
    mustTakeIt();
    return values.putIfAbsent(key, value) == null;
  }

  @Override
  public void replace(String key, T value) {
    mustTakeIt();
    values.put(key, value);
  }

  @Override
  public void remove(String key) {
    mustTakeIt();
    values.remove(key);
  }

  private void mustTakeIt() {
    if (refusing) {
      throw new IllegalStateException("the store is away");
    }
    beforeWriting.run();
  }
}
